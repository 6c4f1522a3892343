"""The plan of renaming a package: its definition, what names it, and the prefixes of symbols."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...edit.changes import Edit
from ...index.finding.resolve import package_argument
from ...index.not_found import NotFound
from ...index.written import own_name
from ...syntax.lexemes import lexemes
from ...syntax.names.designators import designated
from ...syntax.nodes import Atom, forms_in
from ...syntax.tokens import KEYWORD
from ...syntax.walk.files import WalkedForm
from ..designating import designating, gather_prose
from ..errors import RefactorError, not_found_error
from ..gathered import GatheredEdits
from ..packages.sql import PACKAGE_FILES
from ..plan import EditPlan
from ..project.texts import ProjectText, ProjectTexts
from . import sql
from .free import new_name
from .package_places import features_pushed, package_designators, system_names
from .sql import UsedOutsideRow
from .unwritten import tell_outside


def renamed_package(project: ProjectTexts, old: str, new: str, *, docs: bool = False) -> EditPlan:
    """The plan of renaming a package of the project. Raises RefactorError."""
    index, upcase = project.index, project.index.upcase
    found = package_argument(index, old)
    if isinstance(found, NotFound):
        raise not_found_error(found)
    name, exact = found.name, new_name(project, new)
    _refuse_unless_ours(project, name)
    _refuse_unless_free(project, exact)
    gathered = GatheredEdits(project)
    finding = _Finding(gathered, name, exact)
    for one in project.sources():
        if one.has(name):
            finding.text(one, docs=docs)
    for one in project.documents():
        if one.has(name) and project.is_inside(one.path):
            gather_prose(gathered, one, name, exact, edits=docs)
    below = f"{project.folder}/"
    rows = index.rows(sql.PACKAGE_USED_OUTSIDE, package=found.id, below=below)
    tell_outside(gathered, map(UsedOutsideRow._make, rows))
    for (path,) in index.rows(sql.USERS_OF_PACKAGE, package=found.id):
        tell_outside(gathered, [UsedOutsideRow(path, None)])
    return gathered.renaming({own_name(name, upcase): own_name(exact, upcase)})


def _refuse_unless_ours(project: ProjectTexts, name: str) -> None:
    index, shown = project.index, own_name(name, project.index.upcase)
    rows = index.rows(PACKAGE_FILES, package=name)
    paths = [index.local_path(path) or path for (path,) in rows]
    if not paths:
        raise RefactorError(f"this index does not tell where the package {shown} is defined")
    outside = [one for one in paths if not Path(one).is_relative_to(project.folder)]
    if outside:
        raise RefactorError(f"the package {shown} is defined in {outside[0]}, outside {project.folder}")
    if "/" in name and index.rows(sql.SYSTEM_NAMED, name=name.lower()):
        raise RefactorError(
            f"the package {shown} is named after its file, which is a system: rename the file first"
        )


def _refuse_unless_free(project: ProjectTexts, new: str) -> None:
    """No package has the name, nor does one call another by it, nor does any text (CLHS 11.1.1)."""
    index, shown = project.index, own_name(new, project.index.upcase)
    if new in index.package_numbers:
        taken = index.package_names[index.package_numbers[new]]
        raise RefactorError(
            f"{shown} is already in use: the package {own_name(taken, index.upcase)} has that name"
        )
    for (package,) in index.rows(sql.NICKNAMED, nickname=new):
        within = own_name(package, index.upcase)
        raise RefactorError(f"{shown} is already in use: it is a local nickname in the package {within}")
    for one in project.sources():
        for token, start in _prefixed(one, new) if one.has(new) else ():
            place = one.place(start)
            raise RefactorError(f"{shown} is already in use: {place.path}:{place.line} contains {token}")


def _prefixed(one: ProjectText, name: str) -> Iterator[tuple[str, int]]:
    """Yield the tokens with the name of a package before them."""
    for kind, piece, start in lexemes(one.text):
        if kind == "symbol" and ":" in piece:
            token = one.tokens_in(one.form_at(start)).symbol(piece)
            if token is not None and token.package == name and not piece.startswith(":"):
                yield piece, start


class _Finding:
    """Looks for the names of one package."""

    def __init__(self, gathered: GatheredEdits, name: str, new: str) -> None:
        self._gathered = gathered
        self._name = name
        self._new = new

    def text(self, one: ProjectText, *, docs: bool) -> None:
        """Look in a source file."""
        project = self._gathered.project
        if not project.is_inside(one.path):
            for _, start in _prefixed(one, self._name):
                self._gathered.tell(one, start, "a link to a file outside the project")
            return
        for piece, start in _prefixed(one, self._name):
            form = one.form_at(start)
            within = form.package if form is not None else ""
            if project.meanings.package(self._name, within) in (self._name, None):
                end = start + piece.index(":")
                written = one.written(self._new, form, one.text[start:end])
                self._gathered.add(one, form, Edit(start, end, written))
        self._designators(one)
        gather_prose(self._gathered, one, self._name, self._new, edits=docs)

    def _designators(self, one: ProjectText) -> None:
        naming: dict[int, WalkedForm] = {}
        others: set[int] = set()
        parameters = self._gathered.project.positional_parameters
        for walked in (*one.forms, *one.hidden_forms):
            for inner in forms_in(walked.toplevel.node):
                naming |= {node.start: walked for node in package_designators(inner, walked, parameters)}
                others.update(system_names(inner, walked), features_pushed(inner, walked))
        for kind, piece, start in lexemes(one.text):
            node = Atom(start, piece)
            if kind not in ("symbol", "string", "uninterned") or not self._is_name(one, node):
                continue
            if start in naming:
                self._gathered.add(
                    one, naming[start], designating(one, naming[start], start, piece, self._new)
                )
            elif (kind != "symbol" or piece.startswith(":")) and start not in others:
                self._gathered.tell(one, start, "it has the name of the package, and may mean it")

    def _is_name(self, one: ProjectText, node: Atom) -> bool:
        if self._name.casefold() not in node.text.casefold():
            return False
        tokens = one.tokens_in(one.form_at(node.start))
        if designated(node, tokens) != self._name:
            return False
        token = tokens.symbol(node.text) if node.text[0] not in '"#' else None
        return token is None or token.package in (None, KEYWORD)
