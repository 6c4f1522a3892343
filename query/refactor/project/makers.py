"""Which macros of a project make code that names a symbol: those with it in a template, or that reach one."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...edit.changes import Edit
from ...syntax.nodes import forms_in
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.nodes import BACKQUOTE, QUOTE
from .texts import ProjectTexts

_MOST_FORMS = 2_000


class Makers:
    """The forms of a project by what they define, and the edits that are in templates of theirs."""

    def __init__(self, project: ProjectTexts, edits: Mapping[str, Collection[Edit]]) -> None:
        self._project = project
        self._edits = edits
        self._known: dict[str, bool] = {}

    def makes(self, macro: str) -> bool:
        """Whether the macro of a name has an edited template, or calls what has one, and so on."""
        folded = self._project.index.fold(macro)
        if folded not in self._known:
            self._known[folded] = self._reaches(folded)
        return self._known[folded]

    def _reaches(self, macro: str) -> bool:
        fold = self._project.index.fold
        waiting = [
            placed
            for number, forms in self._project.defining_forms.items()
            for placed in forms
            if any(fold(one.symbol.name) == macro for one in placed[1].walked.definitions)
        ]
        seen: set[tuple[str, int]] = set()
        while waiting and len(seen) < _MOST_FORMS:
            path, form = waiting.pop()
            key = (path, form.toplevel.node.start)
            if key in seen:
                continue
            seen.add(key)
            if self._has_edited_template(path, form):
                return True
            for number in {
                one.symbol.number for one in form.walked.occurrences
            } & self._project.defining_forms.keys():
                waiting += self._project.defining_forms[number or 0]
        return False

    def _has_edited_template(self, path: str, form: WalkedForm) -> bool:
        node = form.toplevel.node
        inside = [one for one in self._edits.get(path, ()) if node.start <= one.start < node.end]
        templates = [one for one in forms_in(node) if one.kind in (BACKQUOTE, QUOTE)] if inside else []
        return any(one.start <= edit.start < one.end for edit in inside for one in templates)
