"""The forms of a project that define a name, as their files have them now."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from oblist.indexer.names import InvalidNameError, SplitName, split_name

from ...index.finding.resolve import resolve
from ...index.kinds import KINDS
from ...index.not_found import NotFound
from ...questions.definition.answer import DefinitionPlace
from ...questions.definition.ask import definition
from ...questions.definition.digest import form_digest
from ...questions.definition.parameters import DefinitionParameters
from ...syntax.shown_form import name_in
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.results import WalkedDefinition
from ..errors import RefactorError, not_found_error
from ..project.texts import ProjectText, ProjectTexts

_ANY = "COMMON-LISP-USER"
"""The default package for looking up a name typed without a package: it may belong to any package."""


@dataclass(frozen=True, slots=True)
class EditableForm:
    """A form that defines something: its extent in a text, and the toplevel form around it, or itself."""

    file: ProjectText
    start: int
    end: int
    around: WalkedForm

    @property
    def text(self) -> str:
        """Its text."""
        return self.file.text[self.start : self.end]

    @property
    def digest(self) -> str:
        """The digest by which an editor shows that they have read the form."""
        return form_digest(self.file.shown, self.text)

    @property
    def line(self) -> int:
        """The line that it begins on."""
        return self.file.lines.place(self.start)[0]

    @property
    def place(self) -> str:
        """Its file, relative to the project's folder, and its line."""
        return f"{self.file.shown}:{self.line}"

    @property
    def definitions(self) -> list[WalkedDefinition]:
        """What the form is written to define, without by-products such as accessors."""
        return [one for one in self.around.walked.definitions if one.macro and one.form_start == self.start]


def form_to_edit(project: ProjectTexts, name: str, package: str, digest: str) -> EditableForm:
    """The form with this digest that defines ``name``, read in ``package``. Raises RefactorError if none.

    The name is one as answers print it, such as ``(method shop:price (box))``. A stale digest is answered
    with the present definitions and their digests.
    """
    indexed, why = _indexed(project, name, package, digest)
    found = {(one.file.path, one.start): one for one in indexed}
    if not any(one.digest == digest for one in indexed):
        found |= {(one.file.path, one.start): one for one in _written(project, name, package)}
    forms = [found[key] for key in sorted(found)]
    chosen = [one for one in forms if one.digest == digest]
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        places = ", ".join(one.place for one in chosen)
        raise RefactorError(f"{name} is defined by identical text at {places}: edit one of these by hand")
    if not forms:
        raise RefactorError(why or f"{name} has no definition whose text is in {project.folder}")
    what = "none of its definitions has" if len(forms) > 1 else "its definition does not have"
    now = "\n\n".join(f";;; {one.place}, digest {one.digest}\n{one.text}" for one in forms)
    raise RefactorError(
        f"{name} has changed since it was read: {what} the digest {digest}. Read the form again, and give "
        f"its digest:\n\n{now}"
    )


def defines(one: WalkedDefinition, name: str, upcase: Callable[[str], str]) -> bool:
    """Whether a form is written to define what ``name`` names, in whatever package, and with SETF or not."""
    plain = _typed(name, upcase)
    return bool(one.macro) and plain is not None and one.symbol.name in plain.symbol.spellings


def _typed(name: str, upcase: Callable[[str], str]) -> SplitName | None:
    try:
        return split_name(name_in(name, KINDS), upcase)
    except InvalidNameError:
        return None


def _indexed(project: ProjectTexts, name: str, package: str, digest: str) -> tuple[list[EditableForm], str]:
    """The forms that the index has, where they are now; and why there are not more.

    Raises RefactorError if the digest is that of a part of a form.
    """
    answer = definition(project.index, DefinitionParameters(name, package, max_length=0))
    if isinstance(answer, NotFound):
        return [], str(not_found_error(answer))
    forms, why = [], ""
    for place in answer.definitions:
        found = _at(project, place)
        if isinstance(found, EditableForm):
            forms.append(found)
        elif found is not None:
            why = f"{name} {found}"
            if place.digest == digest:
                raise RefactorError(why)
    return forms, why


def _at(project: ProjectTexts, place: DefinitionPlace) -> EditableForm | str | None:
    """The form at the place of a definition; why there is none, or None if it is gone."""
    if place.path is None or place.line is None or place.column is None or not place.from_source:
        return None
    is_named_inside = Path(place.path).is_relative_to(project.folder)
    file = project.file_inside(place.path) if is_named_inside else None
    if file is None:
        there = os.path.realpath(place.path)
        return f"is defined in {there}, outside {project.folder}, where nothing is changed"
    start = file.lines.start(place.line) + place.column - 1 if place.line <= len(file.lines) else 0
    around = file.form_at(start)
    return editable_at(file, around, start) if around is not None else None


def editable_at(file: ProjectText, around: WalkedForm, start: int) -> EditableForm | str:
    """The form that begins at an offset in a toplevel form and defines something; else why there is none."""
    for one in around.walked.definitions:
        if one.macro and one.form_start == start:
            return EditableForm(file, start, one.form_end, around)
    node = around.toplevel.node
    if node.start == start:
        return EditableForm(file, start, node.end, around)
    line = file.lines.place(node.start)[0]
    return f"is made by the form at {file.shown}:{line}: give the name that this form defines"


def _written(project: ProjectTexts, name: str, package: str) -> Iterator[EditableForm]:
    """Yield the forms whose text defines a name: also those that the index does not know yet."""
    typed = _typed(name, project.index.upcase)
    if typed is None:
        return
    known = resolve(project.index, name, package)
    number = None if isinstance(known, NotFound) else known.symbol
    prefix = typed.package.typed if typed.package is not None else package
    home = project.meanings.package(project.index.upcase(prefix), "")
    for one in project.sources():
        if not (project.is_inside(one.path) and any(map(one.has, typed.symbol.spellings))):
            continue
        for form in one.forms:
            for made in form.walked.definitions:
                is_here = made.symbol.package == home or (typed.package is None and home == _ANY)
                is_it = made.symbol.number == number if number is not None else is_here
                if is_it and defines(made, name, project.index.upcase):
                    yield EditableForm(one, made.form_start, made.form_end, form)
