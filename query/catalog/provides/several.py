"""provides of several indexes: who has a symbol, package or system of a name, the catalog's releases too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from oblist.indexer.names import InvalidNameError, SplitName, Token, split_name

from ...index.finding.near import near_names
from ...index.finding.resolve import find_package
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.written import own_name, typed_name
from ...questions.merging import extended, none_has
from . import sql
from .answer import SeveralProvider, SeveralProvidesAnswer
from .ask import near_provided, providers
from .parameters import SeveralProvidesParameters
from .sql import SymbolInIndexRow

_MOST_SUGGESTIONS = 5
_EXTERNAL = "external"
_NO_PACKAGE = 0  # no package has this number


def provides_of_several(
    readings: Sequence[Reading], asked: SeveralProvidesParameters
) -> SeveralProvidesAnswer | NotFound:
    """Answer provides from all ``readings``."""
    offset, text = asked.offset, asked.name.strip()
    found: list[SeveralProvider] = []
    for reading in readings:
        try:
            typed = split_name(text, reading.upcase)
        except InvalidNameError as error:
            return NotFound("invalid-name", f'Invalid symbol name "{shown_name(text)}"', f"{error.why}.", [])
        found += _of_catalog(reading, typed, text) if reading.is_catalog else _of_index(reading, typed, text)
    if not found:
        return none_has([(one, _nothing(one, text)) for one in readings])
    found.sort(key=_part)  # stable: the order of the indexes within a part
    counts = Counter(one.index for one in found)
    return SeveralProvidesAnswer(
        name=asked.name,
        total=len(found),
        offset=offset,
        indexes={str(one.path): counts[str(one.path)] for one in readings},
        catalog=next((str(one.path) for one in readings if one.is_catalog), None),
        providers=[*found[offset : offset + asked.limit if asked.limit else None]],
    )


def _part(one: SeveralProvider) -> int:
    """The part of the answer: exported symbols, packages and systems, other symbols."""
    if one.what != "symbol":
        return 1
    return 0 if one.status == _EXTERNAL else 2


def _of_catalog(catalog: Reading, typed: SplitName, text: str) -> Iterator[SeveralProvider]:
    for one in providers(catalog, typed, text):
        yield extended(SeveralProvider, one, index=str(catalog.path))


def _of_index(index: Reading, typed: SplitName, text: str) -> Iterator[SeveralProvider]:
    yield from _symbols(index, typed)
    if typed.package is None:
        yield from _package(index, typed.symbol)
        for (name,) in index.rows(sql.SYSTEMS_IN_INDEX, name=text.lower()):
            yield _thing(index, "system", name, name, status="loaded")


def _symbols(index: Reading, typed: SplitName) -> Iterator[SeveralProvider]:
    package = find_package(index, typed.package) if typed.package is not None else None
    if typed.package is not None and package is None:
        return
    within = package.id if package is not None else None
    for spelling in typed.symbol.spellings:
        called = index.rows(sql.SYMBOLS_IN_INDEX, name=spelling, package=within)
        rows = [row for row in map(SymbolInIndexRow._make, called) if _brings(index, row)]
        for row in rows:
            external = row.status == _EXTERNAL
            written = typed_name(spelling, row.package, index.upcase, external=external)
            yield _thing(index, "symbol", spelling, written, row.package, row.type.lower(), row.status)
        if rows:
            return


def _brings(index: Reading, row: SymbolInIndexRow) -> bool:
    """Whether the index has more than the name: a slice has names of what its release uses."""
    outside = index.outside is not None and row.package in index.outside
    return bool(row.defined) or (row.status == _EXTERNAL and not outside)


def _package(index: Reading, token: Token) -> Iterator[SeveralProvider]:
    package = find_package(index, token)
    if package is not None and (index.outside is None or package.name not in index.outside):
        spelling = next(one for one in token.spellings if one in index.package_numbers)
        yield _thing(index, "package", spelling, own_name(spelling, index.upcase))


def _thing(
    index: Reading,
    what: str,
    name: str,
    written: str,
    package: str | None = None,
    kind: str | None = None,
    status: str | None = None,
) -> SeveralProvider:
    return SeveralProvider(what, None, None, name, package, written, kind, status, index=str(index.path))


def _nothing(reading: Reading, text: str) -> NotFound:
    """The answer of one of them that has nothing of that name."""
    symbol = split_name(text, reading.upcase).symbol.upcased
    if reading.is_catalog:
        near = near_provided(reading, symbol)
    else:
        near = near_names(reading, symbol, _NO_PACKAGE, _MOST_SUGGESTIONS)
    asked = "The catalog" if reading.is_catalog else "This index"
    reason = f"{asked} has no symbol, package or system with this name."
    return NotFound("symbol-not-found", f"Nothing provides {shown_name(text)}", reason, near)
