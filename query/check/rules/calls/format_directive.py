"""The rule format-directive."""

from __future__ import annotations

from ....syntax.format_control import FormatFaultError
from ....syntax.names.literals import value_offset
from ....syntax.nodes import Atom
from ..walked import WalkRule
from .complaint import Complaint

RULE = WalkRule("format-directive", "error", __file__)


def complaint(control: Atom, fault: FormatFaultError) -> Complaint:
    """The complaint about a control string that no arguments fit."""
    at = Atom(control.start + value_offset(control.text, fault.start), fault.text)
    return Complaint(RULE, str(fault), at, sure=True)
