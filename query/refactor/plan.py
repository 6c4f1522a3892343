"""What is to be changed in a project, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from ..edit.changes import Change, Edit, change_of


@dataclass(frozen=True, slots=True, order=True)
class PlannedPlace:
    """A place in a file: line and column count from 1, in characters; ``text`` is the line."""

    path: str
    line: int
    column: int
    text: str
    why: str = ""
    """For a place that is not changed: the reason why it is listed."""


class ExpectedFact(NamedTuple):
    """A row that a proof compares and that an edit by itself adds or removes."""

    what: str
    """The fact that it is a row of."""
    row: tuple[Any, ...]

    @classmethod
    def use(cls, relation: str, package: str | None, name: str) -> ExpectedFact:
        """A use of a symbol that a toplevel form makes, such as that of a package."""
        return cls("use", (None, None, relation, package, name, None, None))


@dataclass(frozen=True, slots=True)
class EditPlan:
    """Edits to the files of a project by their paths, and what is left.

    ``unplaced`` are uses that have no name in the text, and texts that may name what changes; ``documented``
    are places in comments, documentation strings and documents, which are only edited when that is asked for.
    """

    subject: str
    """What is changed, for messages."""
    texts: Mapping[str, str]
    """The texts of the files with edits, in which the offsets of the edits count."""
    edits: Mapping[str, Sequence[Edit]]
    renamed: Mapping[str, str] = field(default_factory=dict)
    """The names that change, without packages, and their new names; first the requested one."""
    rehomed: Collection[str] = ()
    """Exact old names of symbols whose new ones may be in other packages."""
    unplaced: Sequence[PlannedPlace] = ()
    documented: Sequence[PlannedPlace] = ()
    gone: Sequence[ExpectedFact] = ()
    """The facts that must be gone after the edits, one for each."""
    new: Sequence[ExpectedFact] = ()
    """The facts that must be new after the edits."""

    moved: Mapping[str, str] = field(default_factory=dict)
    """Files that get new names in their folders."""

    @property
    def count(self) -> int:
        """The number of places that are edited."""
        return sum(map(len, self.edits.values()))

    @property
    def changes(self) -> dict[str, Change]:
        """The changes of files, by their paths. Raises EditError if a file has changed."""
        return self.changes_in(lambda path: path)

    def changes_in(self, there: Callable[[str], str]) -> dict[str, Change]:
        """The changes of copies of the files, which are ``there``. Raises EditError if one has changed."""
        found = {}
        for path, edits in self.edits.items():
            if edits or path in self.moved:
                change = change_of(there(path), self.texts[path], edits)
                moved = self.moved.get(path)
                target = Path(there(moved)) if moved is not None else None
                found[path] = replace(change, moved_to=target)
        return found
