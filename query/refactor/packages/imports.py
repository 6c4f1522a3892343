"""From a prefix to an import, and back."""

from __future__ import annotations

from collections.abc import Sequence

from ...index.finding.resolve import find_symbol
from ...index.written import own_name, typed_name
from ...syntax.names.meanings import NamedSymbol
from ...syntax.tokens import KEYWORD, SymbolToken
from ..errors import RefactorError
from ..plan import EditPlan, ExpectedFact
from ..project.texts import ProjectText, ProjectTexts, ReadSymbol
from .defined import DefinedPackage, package_forms
from .planned import PackageEdits, named_through, read_in
from .there import refuse_unless_package_there, refuse_unless_symbol_there


def imported(project: ProjectTexts, here: DefinedPackage, typed: Sequence[str]) -> EditPlan:
    """The plan of importing symbols that are typed with their packages. Raises RefactorError."""
    edits = PackageEdits(project, here)
    names: dict[str, list[str]] = {}
    for text in dict.fromkeys(typed):
        symbol, source = _typed_symbol(project, here, text)
        if _may_be_imported(project, here, symbol, source):
            names.setdefault(source, []).append(symbol.name)
            edits.new.append(ExpectedFact.use("imports", symbol.package, symbol.name))
            edits.leave_strings([symbol.name])
        if not _write_without(edits, symbol):
            raise RefactorError(f"no code in {here.shown} uses {text} with a package prefix")
    for source, of_it in names.items():
        as_written = (
            one for one in here.form.sources() if project.meanings.package(one, here.name) == source
        )
        edits.of_form([here.form.importing_all(of_it, next(as_written, source))], "what it imports")
    return edits.plan(", ".join(typed))


def _typed_symbol(project: ProjectTexts, here: DefinedPackage, text: str) -> tuple[NamedSymbol, str]:
    """The symbol that a text names with its package, and the package."""
    token = project.tokens.symbol(text) if text else None
    if token is None or token.package in (None, KEYWORD):
        raise RefactorError(f"{text!r} must be a symbol with its package, as in alexandria:flatten")
    source = project.meanings.package(token.package or "", here.name)
    symbol = project.meanings.symbol(token, here.name)
    if source is None or symbol is None:
        raise RefactorError(f"the index has no symbol {text}")
    if source == here.name:
        raise RefactorError(f"{text} is a symbol of {here.shown} itself")
    return symbol, source


def _may_be_imported(project: ProjectTexts, here: DefinedPackage, symbol: NamedSymbol, source: str) -> bool:
    """Whether a symbol has to be imported: not if it is accessible. Raises RefactorError if it cannot be."""
    shown = own_name(symbol.name, project.index.upcase)
    present = project.meanings.symbol(SymbolToken(None, 0, symbol.name), here.name)
    if present is not None:
        if present.number == symbol.number:
            return False
        raise RefactorError(f"in {here.shown}, {shown} already names another symbol, from {present.package}")
    if symbol.name in here.form.exports() | here.form.others() | {name for name, _ in here.form.imports()}:
        raise RefactorError(f"the definition of {here.shown} already names {shown}")
    for one, each in read_in(project, here.name, symbol.name):
        if each.token.package is None:
            place = one.place(each.start)
            raise RefactorError(
                f"{shown} at {place.path}:{place.line}:{place.column} would then mean another symbol"
            )
    refuse_unless_package_there(project, here, source)
    refuse_unless_symbol_there(project, here, source, symbol.name, symbol.number)
    return True


def _write_without(edits: PackageEdits, symbol: NamedSymbol) -> bool:
    """Write a symbol without its package wherever that is; return whether there is any such place."""
    found = False
    for one, each in read_in(edits.project, edits.here.name, symbol.name):
        if each.token.package in (None, KEYWORD):
            continue
        meant = edits.project.meanings.symbol(each.token, each.package)
        if meant is not None and meant.number == symbol.number:
            new = one.written_by(symbol.name, each.tokens, one.text[each.start : each.end])
            edits.write(one, each.start, each.end, new)
            found = True
    return found


def qualified(project: ProjectTexts, here: DefinedPackage, names: Sequence[str]) -> EditPlan:
    """The plan of no longer importing symbols, but writing them with their package. Raises RefactorError."""
    edits = PackageEdits(project, here)
    exact = [*dict.fromkeys(_typed_name(project, name) for name in names)]
    for name in exact:
        _qualify(edits, name)
    edits.of_form(here.form.not_importing(*exact), "what it imports")
    return edits.plan(", ".join(names))


def _typed_name(project: ProjectTexts, text: str) -> str:
    token = project.tokens.symbol(text) if text else None
    if token is None or token.package is not None:
        raise RefactorError(f"{text!r} must be the name of a symbol, without a package")
    return token.name


def _qualify(edits: PackageEdits, name: str) -> None:
    project, here = edits.project, edits.here
    shown = own_name(name, project.index.upcase)
    written = dict(here.form.imports()).get(name)
    if written is None:
        raise RefactorError(f"the definition of {here.shown} does not import {shown}")
    source = project.meanings.package(written, here.name)
    symbol = project.meanings.symbol(SymbolToken(None, 0, name), here.name)
    number = project.index.package_numbers.get(source or "")
    found = find_symbol(project.index, number, name) if number is not None else None
    if source is None or symbol is None or found is None or found.number != symbol.number:
        raise RefactorError(
            f"the index and the definition of {here.shown} disagree about {shown}: build the index again"
        )
    _refuse_if_taken_from(project, here, name, number)
    nickname = next(
        (nick for nick, of in here.form.nicknames().items() if project.meanings.package(of, of) == source),
        source,
    )
    new = typed_name(name, nickname, project.index.upcase, external=found.status == "external")
    for one, each in read_in(project, here.name, name):
        if each.token.package is None:
            edits.write(one, each.start, each.end, _with_package(one, each, new, symbol))
    for one, each in named_through(project, here.name, name):
        edits.leave(one, each.start, f"it is named as a symbol of {here.shown}")
    edits.leave_strings([name])
    edits.gone.append(ExpectedFact.use("imports", symbol.package, name))


def _refuse_if_taken_from(project: ProjectTexts, here: DefinedPackage, name: str, number: int | None) -> None:
    """Raise RefactorError if a package has a name for others: it exports it, or they import it."""
    shown = own_name(name, project.index.upcase)
    of_here = project.index.package_numbers.get(here.name)
    found = find_symbol(project.index, of_here, name) if of_here is not None else None
    if name in here.form.exports() or (found is not None and found.status == "external"):
        raise RefactorError(f"{here.shown} exports {shown}")
    if name in {one for one, _ in here.form.shadowing_imports()} | here.form.others():
        raise RefactorError(f"the definition of {here.shown} also names {shown} in another clause")
    for taker in takers(project, here.name, name):
        raise RefactorError(f"{taker} imports {shown} from {here.shown}")


def takers(project: ProjectTexts, package: str, name: str) -> list[str]:
    """The names of the packages whose forms import a name from a package."""
    return [
        own_name(form.name, project.index.upcase)
        for one in project.sources()
        if one.has(package) and one.has(name)
        for form in package_forms(one)
        for imported_name, source in (*form.imports(), *form.shadowing_imports())
        if imported_name == name and form.name is not None
        if (project.meanings.package(source, form.name) or source) == package
    ]


def _with_package(one: ProjectText, each: ReadSymbol, new: str, symbol: NamedSymbol) -> str:
    """A name with its package as the text around it reads it. Raises RefactorError if it would not."""
    choices = [new.upper(), new] if one.text[each.start : each.end].isupper() else [new]
    for choice in [*choices, new.swapcase()]:
        token = each.tokens.symbol(choice)
        found = one.project.meanings.symbol(token, each.package) if token is not None else None
        if found is not None and found.number == symbol.number:
            return choice
    place = one.place(each.start)
    raise RefactorError(
        f"names at {place.path}:{place.line} are read with different letter case, so {new} would mean "
        "another symbol"
    )
