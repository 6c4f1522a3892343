"""The plan of moving a definition."""

from __future__ import annotations

import os
import re

from ...edit.changes import Edit
from ...index.finding.resolve import resolve
from ...index.not_found import NotFound
from ...index.written import own_name
from ...syntax.names.meanings import LISP
from ...syntax.tokens import SymbolToken
from ..errors import RefactorError, not_found_error
from ..plan import EditPlan, ExpectedFact
from ..project.texts import ProjectTexts
from .extents import extent, insertion, removal
from .forms import SystemForm, SystemForms
from .needs import definitions_of, refuse_earlier, refuse_later
from .strange import refuse_strange

_PLACE = re.compile(r"(.+):(\d+)")
_IN_PACKAGE = "IN-PACKAGE"


def moved_definition(project: ProjectTexts, typed: str, package: str, target: str) -> EditPlan:
    """The plan of moving a definition to another file of its system. Raises RefactorError.

    It is a name that a package has, or FILE:LINE; the comment lines right above it go along.
    """
    forms = SystemForms(project)
    moved = _definition(forms, typed, package)
    path = os.path.realpath(target)
    if path == os.path.realpath(moved.file.path):
        raise RefactorError(f"{typed} is already in {target}")
    other = project.file(next((one for one in project.paths if os.path.realpath(one) == path), path))
    for one in (moved.file, other):
        if not project.is_inside(one.path):
            raise RefactorError(f"{one.path} is outside {project.folder}")
    systems = forms.order.systems_of(path)
    if not systems or set(systems) != set(forms.order.systems_of(moved.file.path)):
        raise RefactorError(f"{moved.file.path} and {path} are not files of the same system")
    start, end = extent(moved)
    refuse_strange(moved, other)
    at, within = insertion(other, moved.walked.package)
    place = other.path, at
    if forms.order.is_before(moved.place, place):
        refuse_later(forms, moved, place)
    elif forms.order.is_before(place, moved.place):
        refuse_earlier(forms, moved, place)
    else:
        raise RefactorError(f"it is not known whether {other.path} is loaded before {moved.shown}")
    text = moved.file.text[start:end]
    new: list[ExpectedFact] = []
    if within != moved.walked.package:
        entering = _entering(project, moved.walked.package, within)
        leaving = _entering(project, within, moved.walked.package)
        text = "\n\n".join((entering, text, leaving))
        new = [ExpectedFact.use("macroexpands", LISP, _IN_PACKAGE)] * 2
    before = "\n\n" if at else ""
    edits = {
        other.path: [Edit(at, at, f"{before}{text}" if at else f"{text}\n\n")],
        moved.file.path: [removal(moved.file.text, start, end)],
    }
    texts = {one.path: one.text for one in (other, moved.file)}
    return EditPlan(typed, texts, edits, new=new)


def _definition(forms: SystemForms, typed: str, package: str) -> SystemForm:
    """The form that is to move."""
    project = forms.project
    place = _PLACE.fullmatch(typed)
    if place is not None and os.path.isfile(place[1]):  # noqa: PTH113
        path = os.path.realpath(place[1])
        of_file = [one for one in forms.all if os.path.realpath(one.file.path) == path]
        found = [one for one in of_file if _is_on(one, int(place[2]))]
        if len(found) != 1 or not found[0].defined:
            raise RefactorError(f"there is no definition at {typed} that a system loads")
        return found[0]
    symbol = resolve(project.index, typed, package)
    if isinstance(symbol, NotFound):
        raise not_found_error(symbol)
    found = definitions_of(forms, (symbol.home, symbol.name))
    if not found:
        raise RefactorError(f"{typed} is not defined in a file that a system of {project.folder} loads")
    if len(found) > 1:
        places = ", ".join(one.shown for one in found[:3])
        raise RefactorError(f"{len(found)} forms define {typed}: give one as FILE:LINE, such as {places}")
    return found[0]


def _is_on(one: SystemForm, line: int) -> bool:
    node = one.walked.toplevel.node
    return one.file.lines.place(node.start)[0] <= line <= one.file.lines.place(node.end)[0]


def _entering(project: ProjectTexts, package: str, within: str) -> str:
    """The form that enters a package from another one."""
    name = own_name(package, project.index.upcase)
    found = project.meanings.symbol(SymbolToken(None, 0, _IN_PACKAGE), within)
    operator = "in-package" if found is not None and found.package == LISP else "cl:in-package"
    return f"({' '.join((operator, f'#:{name}'))})"
