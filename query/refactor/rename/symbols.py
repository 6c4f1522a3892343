"""The plan of renaming a symbol: all that reads as it, and what may name it without being read as it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

from ...edit.changes import Edit
from ...index.finding.resolve import resolve
from ...index.not_found import NotFound, not_found_text
from ...index.written import own_name
from ...syntax.lexemes import lexemes
from ...syntax.names.literals import string_value
from ...syntax.names.meanings import NamedSymbol
from ...syntax.tokens import KEYWORD
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.results import Occurrence, Walked
from ..errors import RefactorError
from ..plan import EditPlan, PlannedPlace
from ..project.makers import Makers
from ..project.prose import prose_names
from ..project.texts import ProjectText, ProjectTexts
from . import sql
from .free import new_name, refuse_unless_free, refuse_unless_ours
from .made_names import derived_names, refuse_accessor
from .sql import DefinedAtRow, NamedWithRow, WithoutPlaceRow

_DESIGNATING = frozenset(("exports", "imports", "names"))
_Occurring = Mapping[int, tuple[Occurrence, WalkedForm]]
_MARK = re.compile(r"#?:")


def renamed_symbol(
    project: ProjectTexts, old: str, new: str, package: str, *, docs: bool = False
) -> EditPlan:
    """The plan of renaming the symbol that ``old`` names in a package. Raises RefactorError.

    With ``docs``, comments, documentation strings and documents are edited, too.
    """
    found = resolve(project.index, old, package)
    if isinstance(found, NotFound):
        raise RefactorError(not_found_text(found).replace("\n", ". "))
    symbol = NamedSymbol(found.home, found.name, found.symbol)
    exact = new_name(project, new)
    refuse_unless_ours(project, symbol, found.home)
    _refuse_unless_defined(project, symbol)
    refuse_accessor(project, symbol)
    names = {symbol: exact, **dict(derived_names(project, symbol, exact))}
    for one, name in names.items():
        refuse_unless_free(project, one, one.package or "", name)
    planned = _Planned(project, {one.name for one in names}, docs=docs)
    for one, name in names.items():
        planned.rename(one, name)
    upcase = project.index.upcase
    return planned.plan({own_name(one.name, upcase): own_name(name, upcase) for one, name in names.items()})


def _refuse_unless_defined(project: ProjectTexts, symbol: NamedSymbol) -> None:
    index = project.index
    shown = own_name(symbol.name, index.upcase)
    rows = map(DefinedAtRow._make, index.rows(sql.DEFINED_AT, symbol=symbol.number))
    paths = [index.local_path(row.path) or row.path for row in rows]
    if not paths:
        raise RefactorError(f"{shown} has no definition with a place in this index")
    outside = [one for one in paths if not Path(one).is_relative_to(project.folder)]
    if outside:
        raise RefactorError(f"{shown} is defined in {outside[0]}, outside of {project.folder}")


class _Planned:
    """Gathers the edits of several symbols."""

    def __init__(self, project: ProjectTexts, names: Collection[str], *, docs: bool) -> None:
        self._project = project
        self._names = names
        self._docs = docs
        self._edits: defaultdict[str, set[Edit]] = defaultdict(set)
        self._unplaced: set[PlannedPlace] = set()
        self._documented: set[PlannedPlace] = set()
        self._edited_forms: set[tuple[str, int]] = set()
        """The toplevel forms with edits, by path and start."""

    def plan(self, renamed: Mapping[str, str]) -> EditPlan:
        """All that was gathered."""
        edits = {path: sorted(edits) for path, edits in sorted(self._edits.items())}
        texts = {path: self._project.file(path).text for path in edits}
        subject = next(iter(renamed))
        return EditPlan(subject, texts, edits, renamed, sorted(self._unplaced), sorted(self._documented))

    def rename(self, symbol: NamedSymbol, new: str) -> None:
        """Add what renames a symbol."""
        for one in self._project.sources():
            if not one.has(symbol.name):
                continue
            if self._project.is_inside(one.path):
                self._in_source(one, symbol, new)
                self._in_prose(one, symbol, new)
            else:
                why = "a link to a file outside of the project"
                self._unplaced |= {one.place(token.token_start, why) for token in one.naming(symbol)}
        for one in self._project.documents():
            if one.has(symbol.name) and self._project.is_inside(one.path):
                self._in_prose(one, symbol, new)
        self._without_place(symbol)
        self._made_names(symbol)
        self._made_elsewhere(symbol)

    def _add(self, one: ProjectText, form: WalkedForm | None, edit: Edit) -> None:
        self._edits[one.path].add(edit)
        if form is not None:
            self._edited_forms.add((one.path, form.toplevel.node.start))

    # What is read

    def _in_source(self, one: ProjectText, symbol: NamedSymbol, new: str) -> None:
        seen: set[int] = set()
        doubtful: defaultdict[int, list[int]] = defaultdict(list)
        local: set[int] = set()
        for token in one.naming(symbol):
            seen.add(token.token_start)
            kept, unsure = _roles(token.form.walked, token.token_start) if token.form else (False, False)
            start = token.form.toplevel.node.start if token.form else -1
            if kept:
                local.add(start)
                continue
            if unsure:
                doubtful[start].append(token.token_start)
            new_text = one.written(new, token.form, one.text[token.start : token.end])
            self._add(one, token.form, Edit(token.start, token.end, new_text))
        for start in doubtful.keys() & local:
            for at in doubtful[start]:
                why = "only the macro around it knows whether this is the local name of the form"
                self._unplaced.add(one.place(at, why))
        occurring = {
            each.start: (each, form)
            for form in one.forms
            for each in form.walked.occurrences
            if each.symbol.number == symbol.number
        }
        seen |= self._designators(one, symbol, new, occurring)
        for start in occurring.keys() - seen:
            self._unplaced.add(one.place(start, "it is named here in a way that is not changed"))

    def _designators(
        self, one: ProjectText, symbol: NamedSymbol, new: str, occurring: _Occurring
    ) -> set[int]:
        """Edit strings and symbols of other packages that name it in the forms of packages; tell others.

        Returns where those stand that are edited.
        """
        naming = {start: form for start, (each, form) in occurring.items() if each.relation in _DESIGNATING}
        edited = set()
        for kind, piece, start in lexemes(one.text):
            if (form := naming.get(start)) is not None and _names(form, kind, piece, symbol.name):
                self._add(one, form, _designating(one, form, piece, start, new))
                edited.add(start)
            elif kind == "string" and string_value(piece) == symbol.name and start not in naming:
                self._unplaced.add(one.place(start, "a string has its name: something may make it of that"))
        return edited

    # What is not

    def _in_prose(self, one: ProjectText, symbol: NamedSymbol, new: str) -> None:
        """Comments, strings and documents."""
        upcase = self._project.index.upcase
        plain, name = own_name(symbol.name, upcase), own_name(new, upcase)
        for start, written in prose_names(one, symbol.name):
            # A name that is a word as well is one in prose unless it is in capitals.
            if written not in (written.upper(), plain) or (plain.isalpha() and not written.isupper()):
                continue
            self._documented.add(one.place(start))
            if self._docs:
                text = name.upper() if written.isupper() else name
                self._edits[one.path].add(Edit(start, start + len(written), text))

    def _made_names(self, symbol: NamedSymbol) -> None:
        """Definitions whose names no text has, and which are made from this one in a form that is edited."""
        index = self._project.index
        rows = index.rows(sql.NAMED_WITH, symbol=symbol.number, name=symbol.name)
        for row in map(NamedWithRow._make, rows):
            path = index.local_path(row.path) or row.path
            known = row.name in self._names or not Path(path).is_relative_to(self._project.folder)
            if known or row.line is None or any(one.has(row.name) for one in self._project.sources()):
                continue
            one = self._project.file(path)
            if self._is_edited(one, row.line):
                name = own_name(row.name, index.upcase)
                self._unplaced.add(one.place(one.lines.start(row.line), f"{name} is made from its name"))

    def _made_elsewhere(self, symbol: NamedSymbol) -> None:
        """Definitions whose forms do not name it, nor do templates of what makes them."""
        index = self._project.index
        makers = Makers(self._project, self._edits)
        for row in map(DefinedAtRow._make, index.rows(sql.DEFINED_AT, symbol=symbol.number)):
            one = self._project.file(index.local_path(row.path) or row.path)
            known = row.line is not None and row.line <= len(one.lines)
            if row.line is None or not known or self._is_edited(one, row.line):
                continue
            if row.operator is None or not makers.makes(row.operator):
                why = f"the {row.kind} is made by a form that does not name it"
                self._unplaced.add(one.place(one.lines.start(row.line), why))

    def _without_place(self, symbol: NamedSymbol) -> None:
        """Uses whose text does not name it: right if what makes them is edited."""
        index = self._project.index
        makers = Makers(self._project, self._edits)
        for row in map(WithoutPlaceRow._make, index.rows(sql.WITHOUT_PLACE, symbol=symbol.number)):
            path = index.local_path(row.path) or row.path
            if not Path(path).is_relative_to(self._project.folder):
                self._unplaced.add(PlannedPlace(path, row.line or 0, 0, "", "a use outside of the project"))
                continue
            one = self._project.file(path)
            if row.line is not None and self._is_edited(one, row.line):
                continue
            if row.expansion is not None and makers.makes(row.expansion):
                continue
            by = f"the expansion of {row.expansion.lower()}" if row.expansion else "code that no text shows"
            at = one.lines.start(row.line) if row.line is not None and row.line <= len(one.lines) else 0
            self._unplaced.add(one.place(at, f"{by} {row.relation} it"))

    def _is_edited(self, one: ProjectText, line: int) -> bool:
        """Whether the last toplevel form that begins on a line, or before it, is edited."""
        form = one.form_on(line)
        return form is not None and (one.path, form.toplevel.node.start) in self._edited_forms


def _roles(walked: Walked, start: int) -> tuple[bool, bool]:
    """Whether a token is a local name, and whether it may be one.

    The block that a definition makes has the name that is defined, and goes with it.
    """
    defined = {one.start for one in walked.definitions}
    if any(one.start == start for one in walked.bindings):
        return start not in defined, False
    for use in walked.uses:
        if use.start == start:
            return use.binding is not None and use.binding.start not in defined, use.binding is None
    return False, False


def _names(form: WalkedForm, kind: str, piece: str, name: str) -> bool:
    """Whether a lexeme designates a name, without reading as the symbol."""
    if kind == "string":
        return string_value(piece) == name
    if kind == "uninterned":
        piece = piece.removeprefix("#:")
    token = form.tokens.symbol(piece) if piece else None
    return token is not None and token.name == name and (kind == "uninterned" or token.package == KEYWORD)


def _designating(one: ProjectText, form: WalkedForm, piece: str, start: int, new: str) -> Edit:
    if piece.startswith('"'):
        escaped = new.replace("\\", "\\\\").replace('"', '\\"')
        return Edit(start, start + len(piece), f'"{escaped}"')
    mark = _MARK.match(piece)
    at = start + (mark.end() if mark is not None else 0)
    return Edit(at, start + len(piece), one.written(new, form, piece))
