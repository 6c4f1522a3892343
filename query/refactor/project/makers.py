"""Which macros of a project make code that names a symbol: those with it in a template, or that reach one."""

from __future__ import annotations

from collections.abc import Callable

from ...syntax.nodes import Form, forms_in
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.nodes import BACKQUOTE, QUOTE
from .texts import ProjectTexts

_MOST_FORMS = 2_000


class Makers:
    """The forms of a project by what they define; ``has`` tells whether one has what is sought in a template.

    It is asked with the path of a file, a form and the templates in it.
    """

    def __init__(self, project: ProjectTexts, has: Callable[[str, WalkedForm, list[Form]], bool]) -> None:
        self._project = project
        self._has = has
        self._known: dict[str, bool] = {}

    def makes(self, macro: str) -> bool:
        """Whether the macro of a name has such a template, or calls what has one, and so on."""
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
            node = form.toplevel.node
            templates = [one for one in forms_in(node) if one.kind in (BACKQUOTE, QUOTE)]
            if templates and self._has(path, form, templates):
                return True
            for number in {
                one.symbol.number for one in form.walked.occurrences
            } & self._project.defining_forms.keys():
                waiting += self._project.defining_forms[number or 0]
        return False
