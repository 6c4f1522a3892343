"""Local nicknames: add one and write it instead of a package, or remove it and write the package."""

from __future__ import annotations

from collections.abc import Collection

from ...edit.forms.packages import PackageForm
from ...index.reading import Reading
from ...index.written import own_name
from ...syntax.lexemes import lexemes
from ...syntax.names.designators import designated
from ...syntax.names.meanings import Meanings
from ...syntax.nodes import Atom
from ...syntax.tokens import SymbolToken
from ..errors import RefactorError
from ..plan import EditPlan
from ..project.texts import ProjectText, ProjectTexts, ReadSymbol
from . import sql
from .defined import DefinedPackage
from .planned import PackageEdits
from .there import refuse_unless_package_there

_SHORT = 4  # letters of a nickname that is made of the beginning of a name
_DESIGNATORS = ("string", "uninterned", "symbol")


def likely_nickname(
    index: Reading, meanings: Meanings, within: str, form: PackageForm, package: str
) -> str | None:
    """A free local nickname for a package: what others call it, else a part of its name."""
    rows = index.rows(sql.LOCAL_NICKNAMES_OF, package=package)
    last = package.replace("/", ".").rpartition(".")[2].removeprefix("CL-")
    for one in [*(row[0] for row in rows), last if last != package else package[:_SHORT]]:
        if meanings.package(one, within) is None and one not in form.nicknames():
            return str(one)
    return None


def nicknamed(project: ProjectTexts, here: DefinedPackage, nickname: str, package: str) -> EditPlan:
    """The plan of giving a package a local nickname, and of writing that before its names.

    Raises RefactorError.
    """
    token = project.tokens.symbol(nickname) if nickname else None
    if token is None or token.package is not None:
        raise RefactorError(f"{nickname!r} cannot be a nickname of a package")
    exact, index = token.name, project.index
    if package == here.name:
        raise RefactorError(f"{here.shown} cannot have a nickname for itself")
    known = project.meanings.package(exact, here.name)
    if known is not None:
        raise RefactorError(f"{nickname} already means {own_name(known, index.upcase)} in {here.shown}")
    if exact in here.form.nicknames():
        raise RefactorError(f"the definition of {here.shown} already has the nickname {nickname}")
    refuse_unless_package_there(project, here, package)
    edits = PackageEdits(project, here)
    edits.of_form([here.form.nicknaming(exact, package)], "its nicknames")
    local = here.form.nicknames().keys()
    number = index.package_numbers[package]
    names = [exact, *(name for name, of in index.package_numbers.items() if of == number)]
    for one in project.sources():
        for each in _prefixed(one, here.name, names):
            if each.token.package == exact:
                place = one.place(each.start)
                raise RefactorError(
                    f"{place.path}:{place.line}:{place.column} already uses {nickname} as a prefix"
                )
            of_it = project.meanings.package(each.token.package or "", each.package) == package
            if of_it and each.token.package not in local:
                _write_prefix(edits, one, each, exact)
    if not edits.written:
        shown = own_name(package, index.upcase)
        raise RefactorError(f"no code in {here.shown} uses {shown} as a prefix")
    _leave_designators(edits, {exact}, kinds=("string",))
    return edits.plan(f"the nickname {nickname}")


def without_nickname(project: ProjectTexts, here: DefinedPackage, nickname: str) -> EditPlan:
    """The plan of removing a local nickname, and of writing its package instead. Raises RefactorError."""
    token = project.tokens.symbol(nickname) if nickname else None
    exact = token.name if token is not None and token.package is None else nickname
    target = here.form.nicknames().get(exact)
    if target is None:
        raise RefactorError(f"the definition of {here.shown} has no nickname {nickname}")
    package = project.meanings.package(target, target)
    if package is None or project.meanings.package(exact, here.name) != package:
        raise RefactorError(f"the index does not have the nickname {nickname}: build the index again")
    if project.meanings.package(package, here.name) != package:
        raise RefactorError(f"{package} names another package in {here.shown}")
    edits = PackageEdits(project, here)
    edits.of_form(here.form.not_nicknaming(exact), "its nicknames")
    for one in project.sources():
        for each in _prefixed(one, here.name, [exact]):
            if each.token.package == exact:
                _write_prefix(edits, one, each, package)
    _leave_designators(edits, {exact}, kinds=_DESIGNATORS)
    return edits.plan(f"the nickname {nickname}")


def _prefixed(one: ProjectText, package: str, names: Collection[str]) -> list[ReadSymbol]:
    """The tokens with a package before them that a text reads in a package, if it has one of some names."""
    if not any(map(one.has, names)):
        return []
    return [each for each in one.symbols if each.package == package and each.token.package in names]


def _write_prefix(edits: PackageEdits, one: ProjectText, each: ReadSymbol, package: str) -> None:
    """Write another name of a package before a symbol."""
    written = one.text[each.start : each.end]
    prefix = _prefix_of(written)
    new = one.written_by(package, each.tokens, prefix)
    token = each.tokens.symbol(f"{new}{written[len(prefix) :]}")
    if token != SymbolToken(package, each.token.colons, each.token.name):
        edits.leave(one, each.start, f"{new} would be read with different letter case here")
    else:
        edits.write(one, each.start, each.start + len(prefix), new)


def _prefix_of(written: str) -> str:
    """What is before the colons of a token; one in pipes or after a backslash is a part of a name."""
    in_pipes = escaped = False
    for at, char in enumerate(written):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == "|":
            in_pipes = not in_pipes
        elif char == ":" and not in_pipes:
            return written[:at]
    return ""


def _leave_designators(edits: PackageEdits, names: Collection[str], kinds: Collection[str]) -> None:
    """Note what may name a package when it runs: designators, and directives that call functions of it."""
    here = edits.here
    directives = tuple(f"/{name}:" for name in names)
    for one in edits.project.sources():
        if not any(map(one.has, names)):
            continue
        for kind, piece, start in lexemes(one.text):
            if one is here.file and here.form.start <= start < here.form.end:
                continue
            if kind not in kinds or one.package_at(start) != here.name:
                continue
            form = one.toplevel_at(start)
            tokens = form.tokens if form is not None else edits.project.tokens
            name = designated(Atom(start, piece), tokens)
            plain = kind == "symbol" and not piece.startswith(":")
            if name in names and not plain:
                edits.leave(one, start, "it may name the package by the nickname")
            elif kind == "string" and any(each in piece.upper() for each in directives):
                edits.leave(one, start, "a directive may name the package by the nickname")
