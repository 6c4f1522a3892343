"""All clients."""

from __future__ import annotations

from ..client import Client
from .agents import AGENTS
from .editors import EDITORS
from .jobs import JOBS

CLIENTS: dict[str, Client] = {client.name: client for client in (*AGENTS, *EDITORS, *JOBS)}
"""The clients by name, in the order in which they are listed."""
