"""Which unused definitions can be deleted, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...edit.changes import Edit


@dataclass(frozen=True, slots=True)
class UnusedVerdict:
    """A definition that nothing uses, and whether it is certain that it can be deleted."""

    written: str
    """The definition as typed in Lisp."""
    kind: str | None
    path: str | None
    line: int | None
    column: int | None
    reason: str | None
    """Why it is not certain; None if it is."""

    @property
    def certain(self) -> bool:
        """Whether the project loads without it, and is the same but for it."""
        return self.reason is None


@dataclass(frozen=True, slots=True)
class ProvedUnused:
    """The unused definitions of a part of a project, each with its verdict, and what deletes them."""

    part: str
    verdicts: Sequence[UnusedVerdict]
    builds: int
    """How often the copy of the project was built."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The texts in which the offsets of the edits count."""
    edits: Mapping[str, Sequence[Edit]] = field(default_factory=dict)
    """The edits that delete all definitions whose deletion is certain, by the paths of files."""
    tested: bool = False
    written: bool = False

    @property
    def certain(self) -> int:
        """The number of definitions that can be deleted."""
        return sum(one.certain for one in self.verdicts)

    def json(self) -> dict[str, object]:
        """All of it, as JSON has it."""
        return {
            "part": self.part,
            "total": len(self.verdicts),
            "certain": self.certain,
            "builds": self.builds,
            "tested": self.tested,
            "written": self.written,
            "findings": [
                {
                    "sort": "unused",
                    "written": one.written,
                    "kind": one.kind,
                    "path": one.path,
                    "line": one.line,
                    "column": one.column,
                    "certain": one.certain,
                    "reason": one.reason,
                }
                for one in self.verdicts
            ],
            "edits": [
                {"path": path, "start": edit.start, "end": edit.end, "new": edit.new}
                for path, edits in self.edits.items()
                for edit in edits
            ],
        }
