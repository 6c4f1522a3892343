"""provides: which releases export or define a name: a symbol, a package or a system.

A name is typed as in Lisp: ``flatten``, ``alexandria:flatten``; a system's as ASDF takes it.
"""

from __future__ import annotations

from difflib import get_close_matches

from oblist.indexer.names import InvalidNameError, SplitName, Token, split_name

from ...index.finding.phrases import any_of
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.written import own_name, typed_name
from ..release_names import label
from . import sql
from .answer import Provider, ProvidesAnswer
from .parameters import ProvidesParameters
from .sql import ReleasePackageRow, ReleaseSymbolRow, SystemCalledRow

_MOST_SUGGESTIONS = 5
_EXTERNAL = "external"
_STANDARD = "COMMON-LISP"


def provides(catalog: Reading, asked: ProvidesParameters) -> ProvidesAnswer | NotFound:
    """Answer provides from the catalog alone."""
    offset, text = asked.offset, asked.name.strip()
    try:
        typed = split_name(text, catalog.upcase)
    except InvalidNameError as error:
        return NotFound("invalid-name", f'Invalid symbol name "{shown_name(text)}"', f"{error.why}.", [])
    found = providers(catalog, typed, text)
    if not found:
        return NotFound(
            "symbol-not-found",
            f"No release provides {shown_name(text)}",
            "The catalog has no symbol, package or system with this name.",
            near_provided(catalog, typed.symbol.upcased),
        )
    page = found[offset : offset + asked.limit if asked.limit else None]
    return ProvidesAnswer(asked.name, len(found), offset, page)


def providers(catalog: Reading, typed: SplitName, text: str) -> list[Provider]:
    """All that ``typed``, written as ``text``, names: exports, then packages and systems, then internals."""
    package = typed.package
    symbols = _symbols(catalog, typed.symbol, package)
    others = [] if package else [*_packages(catalog, typed.symbol), *_systems(catalog, text)]
    exported = [one for one in symbols if one.status == _EXTERNAL]
    return [*exported, *others, *(one for one in symbols if one.status != _EXTERNAL)]


def _symbols(catalog: Reading, token: Token, package: Token | None) -> list[Provider]:
    for spelling in token.spellings:
        rows = [
            ReleaseSymbolRow._make(row)
            for within in (package.spellings if package else (None,))
            for row in catalog.rows(sql.SYMBOLS_CALLED, name=spelling, package=within)
        ]
        if rows:
            rows.sort(key=_importance)
            return [_symbol(catalog, spelling, row) for row in dict.fromkeys(rows)]
    return []


def _importance(row: ReleaseSymbolRow) -> tuple[object, ...]:
    return (row.package != _STANDARD, -row.newest, row.release, row.package, row.version or "")


def _symbol(catalog: Reading, name: str, row: ReleaseSymbolRow) -> Provider:
    written = typed_name(name, row.package, catalog.upcase, external=row.status == _EXTERNAL)
    release = label(row.release, row.version)
    return Provider(
        "symbol", release, bool(row.newest), name, row.package, written, row.type.lower(), row.status
    )


def _packages(catalog: Reading, token: Token) -> list[Provider]:
    for spelling in token.spellings:
        rows = [
            ReleasePackageRow._make(row)
            for statement in (sql.PACKAGES_CALLED, sql.PACKAGES_NICKNAMED)
            for row in catalog.rows(statement, name=spelling)
        ]
        if rows:
            rows.sort(key=lambda row: (-row.newest, row.release))
            return [
                Provider(
                    "package",
                    label(row.release, row.version),
                    bool(row.newest),
                    spelling,
                    None,
                    own_name(spelling, catalog.upcase),
                    None,
                    None,
                )
                for row in dict.fromkeys(rows)
            ]
    return []


def _systems(catalog: Reading, text: str) -> list[Provider]:
    name = text.lower()
    rows = [SystemCalledRow._make(row) for row in catalog.rows(sql.SYSTEMS_CALLED, name=name)]
    rows.sort(key=lambda row: (-row.newest, row.release))
    return [
        Provider(
            "system", label(row.release, row.version), bool(row.newest), name, None, name, None, row.state
        )
        for row in rows
    ]


def near_provided(catalog: Reading, name: str) -> list[str]:
    """Names like ``name`` that some release exports."""
    folded = catalog.fold(name)
    trigrams = sorted({folded[start : start + 3] for start in range(len(folded) - 2)})
    if not trigrams or "\0" in folded:
        return []
    rows = catalog.rows(sql.NAMES_LIKE, phrase=any_of(trigrams))
    found = {typed_name(name, package, catalog.upcase, external=True): name for name, package in rows}
    near = get_close_matches(name, list(dict.fromkeys(found.values())), n=_MOST_SUGGESTIONS, cutoff=0.7)
    return [written for one in near for written, name in found.items() if name == one][:_MOST_SUGGESTIONS]
