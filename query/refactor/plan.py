"""What a rename changes, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..edit.changes import Edit


@dataclass(frozen=True, slots=True, order=True)
class PlannedPlace:
    """A place in a file: line and column count from 1, in characters; ``text`` is the line."""

    path: str
    line: int
    column: int
    text: str
    why: str = ""
    """For a place that is not renamed: what is known of it."""


@dataclass(frozen=True, slots=True)
class EditPlan:
    """The edits that rename something, by the paths of the files, and what is left.

    ``unplaced`` are uses that no text names, and texts that may name it; ``documented`` are places in
    comments, documentation strings and documents, which are only edited when that is asked for.
    """

    old: str
    new: str
    texts: Mapping[str, str]
    """The texts that the edits count in, of the files with edits."""
    edits: Mapping[str, Sequence[Edit]]
    unplaced: Sequence[PlannedPlace] = ()
    documented: Sequence[PlannedPlace] = ()
    derived: Mapping[str, str] = field(default_factory=dict)
    """Names that change with it: those that a structure makes from its own."""

    @property
    def count(self) -> int:
        """The number of places that are edited."""
        return sum(map(len, self.edits.values()))
