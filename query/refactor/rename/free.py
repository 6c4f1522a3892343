"""Whether a name is free where something is to get it."""

from __future__ import annotations

from pathlib import Path

from oblist.indexer.names import typed_name

from ...index.finding.resolve import find_symbol
from ...index.written import own_name
from ...syntax.lexemes import lexemes
from ...syntax.names.meanings import LISP, Symbol
from ...syntax.tokens import KEYWORD, SymbolToken
from ..errors import RefactorError
from ..project.texts import ProjectTexts
from . import sql
from .sql import DefinedAtRow


def new_name(project: ProjectTexts, text: str) -> str:
    """The exact name that is typed as a new one, without a package. Raises RefactorError."""
    token = project.tokens.symbol(text) if text and not text.isspace() else None
    whole = [one.text for one in lexemes(text)] if token is not None else []
    if token is None or token.package is not None or whole != [text]:
        raise RefactorError(f"{text!r} must be the name of a symbol, without a package")
    return token.name


def refuse_unless_ours(project: ProjectTexts, symbol: Symbol, home: str) -> None:
    """Raise RefactorError unless a symbol is the project's own."""
    shown = own_name(symbol.name, project.index.upcase)
    if home in (LISP, KEYWORD):
        raise RefactorError(f"{shown} is a symbol of {home}, which must not be changed")


def refuse_unless_free(project: ProjectTexts, symbol: Symbol, home: str, new: str) -> None:
    """Raise RefactorError if a name means something wherever a symbol is accessible.

    The symbol with the new name would then be another one there, or could no longer be inherited (CLHS
    11.1.1.2.5).
    """
    index = project.index
    shown = own_name(new, index.upcase)
    for (number,) in index.rows(sql.WHERE_ACCESSIBLE, symbol=symbol.number):
        found = find_symbol(index, number, new)
        if found is not None:
            package = index.package_names[number]
            of = index.package_names[found.home] if found.home is not None else package
            written = typed_name(new, of, index.upcase, external=True)
            raise RefactorError(f"{shown} is already in use: {written} is accessible in {package}")
    here = SymbolToken(None, 0, new)
    for one in project.sources():
        for each in one.symbols_named(new):
            prefix = each.token.package
            if prefix == KEYWORD:
                continue
            means = each.package if prefix is None else project.meanings.package(prefix, each.package)
            if means == home or (each.token == here and _is_accessible(project, symbol, each.package)):
                place = one.place(each.start)
                raise RefactorError(f"{shown} is already in use at {place.path}:{place.line}:{place.column}")


def _is_accessible(project: ProjectTexts, symbol: Symbol, package: str) -> bool:
    """Whether text in a package means a symbol by its name."""
    found = project.meanings.symbol(SymbolToken(None, 0, symbol.name), package)
    return found is not None and found.number == symbol.number


def refuse_unless_defined_here(project: ProjectTexts, symbol: Symbol) -> None:
    """Raise RefactorError unless all definitions of a symbol are in files of the project."""
    index = project.index
    shown = own_name(symbol.name, index.upcase)
    rows = map(DefinedAtRow._make, index.rows(sql.DEFINED_AT, symbol=symbol.number))
    paths = [index.local_path(row.path) or row.path for row in rows]
    if not paths:
        raise RefactorError(f"this index does not tell where {shown} is defined")
    outside = [one for one in paths if not Path(one).is_relative_to(project.folder)]
    if outside:
        raise RefactorError(f"{shown} is defined in {outside[0]}, outside {project.folder}")
