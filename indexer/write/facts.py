"""The facts about a build that its index carries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Build:
    """A build: its command, when it began, and the id under which the builder's cache has its record.

    No source file was read before ``started``.
    """

    command: str
    started: datetime
    build_id: str = ""

    def facts(self) -> dict[str, str]:
        """The rows of meta for this build."""
        return {"command": self.command, "build_id": self.build_id, "started": moment(self.started)}


def moment(when: datetime) -> str:
    """``when`` as an index stores it, in whole seconds."""
    return when.isoformat(timespec="seconds")
