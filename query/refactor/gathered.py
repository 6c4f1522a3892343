"""Edits as they come together, of several names, and the places that are left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..edit.changes import Edit
from ..syntax.nodes import forms_in
from ..syntax.walk.files import WalkedForm
from ..syntax.walk.nodes import BACKQUOTE, QUOTE
from .plan import EditPlan, PlannedPlace
from .project.makers import Makers
from .project.texts import ProjectText, ProjectTexts


class GatheredEdits:
    """The edits of a project so far."""

    def __init__(self, project: ProjectTexts) -> None:
        self.project = project
        self._edits: defaultdict[str, set[Edit]] = defaultdict(set)
        self._unplaced: set[PlannedPlace] = set()
        self._documented: set[PlannedPlace] = set()
        self._edited_forms: dict[tuple[str, int], WalkedForm] = {}
        """The toplevel forms with edits, by path and start."""

    def add(self, one: ProjectText, form: WalkedForm | None, edit: Edit) -> None:
        """Add an edit of a form, or of text between forms."""
        self._edits[one.path].add(edit)
        if form is not None:
            self._edited_forms[one.path, form.toplevel.node.start] = form

    def tell(self, one: ProjectText, offset: int, why: str) -> None:
        """Report a place that may name what changes, but is not changed itself."""
        self._unplaced.add(one.place(offset, why))

    def tell_line(self, path: str, line: int | None, why: str) -> None:
        """Do the same for a line that the index has; a file outside of the project is not read."""
        if not Path(path).is_relative_to(self.project.folder):
            self._unplaced.add(PlannedPlace(path, line or 0, 0, "", why))
            return
        one = self.project.file(path)
        known = line is not None and line <= len(one.lines)
        self.tell(one, one.lines.start(line) if line is not None and known else 0, why)

    def document(self, one: ProjectText, offset: int) -> None:
        """Report a place in a comment, a documentation string or a document."""
        self._documented.add(one.place(offset))

    def is_edited(self, path: str, line: int) -> bool:
        """Whether the toplevel form on a line of a project's file, or the last one before it, is edited."""
        if not Path(path).is_relative_to(self.project.folder):
            return False
        form = self.project.file(path).form_on(line)
        return form is not None and (path, form.toplevel.node.start) in self._edited_forms

    def calls_edited(self, path: str, line: int) -> bool:
        """Whether the form on a line names what an edited form defines, which may be inline there."""
        form = self.project.file(path).form_on(line)
        named = {one.symbol.number for one in form.walked.occurrences} if form is not None else set()
        return not named.isdisjoint(self._defined())

    def _defined(self) -> set[int]:
        """The numbers of what edited forms define."""
        return {number for form in self._edited_forms.values() for number in numbers_defined(form)}

    def makers(self) -> Makers:
        """The macros that make code from the templates edited so far."""
        found: set[int] = set()
        for (path, _), form in self._edited_forms.items():
            starts = [edit.start for edit in self._edits[path]]
            templates = [one for one in forms_in(form.toplevel.node) if one.kind in (BACKQUOTE, QUOTE)]
            if any(one.start <= start < one.end for start in starts for one in templates):
                found |= numbers_defined(form)
        return Makers(self.project.index, found)

    def touches(self, path: str, start: int, end: int) -> bool:
        """Whether anything outside of an extent of a file is edited."""
        placed = ((one, edit.start) for one, edits in self._edits.items() for edit in edits)
        return any(one != path or not start <= at <= end for one, at in placed)

    def renaming(self, renamed: Mapping[str, str]) -> EditPlan:
        """The plan of all edits; ``renamed`` has the changed names, without packages, and the new ones."""
        return replace(self.plan(next(iter(renamed))), renamed=renamed)

    def plan(self, subject: str) -> EditPlan:
        """The plan of all edits."""
        edits = {path: sorted(edits) for path, edits in sorted(self._edits.items())}
        texts = {path: self.project.file(path).text for path in edits}
        return EditPlan(
            subject, texts, edits, unplaced=sorted(self._unplaced), documented=sorted(self._documented)
        )


def numbers_defined(form: WalkedForm) -> set[int]:
    """The numbers of what a form defines."""
    return {one.symbol.number for one in form.walked.definitions if one.symbol.number is not None}
