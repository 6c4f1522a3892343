"""The tools that agents can call. Packages that add tools import from here."""

from .running.call import this_call
from .vocabulary import CAUTIOUS, DANGEROUS, SAFE, Parameter, Proposal, Reply, Tool, ToolError, define_tool

__all__ = [
    "CAUTIOUS",
    "DANGEROUS",
    "SAFE",
    "Parameter",
    "Proposal",
    "Reply",
    "Tool",
    "ToolError",
    "define_tool",
    "this_call",
]
