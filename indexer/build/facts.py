"""The facts about a build that its index carries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Build:
    """A build: its command, when it began, and the id by which the cache of who built it knows the index.

    No source file was read before ``started``.
    """

    command: str
    started: datetime
    build_id: str = ""

    def facts(self) -> dict[str, str]:
        """The rows of meta that say this."""
        return {"command": self.command, "build_id": self.build_id, "started": moment(self.started)}


def moment(when: datetime) -> str:
    """``when`` as an index has it, the second cut off."""
    return when.isoformat(timespec="seconds")
