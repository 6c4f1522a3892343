"""complete: the names that code may mean by a beginning."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from oblist.indexer.names import split_package

from ...index.finding.resolve import find_package, package_argument, package_not_found
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.written import own_name
from . import sql
from .answer import CompleteAnswer, Completion
from .matching import MATCHES, matcher
from .parameters import CompleteParameters
from .places import KINDS, OPERATOR, OPERATORS
from .sql import NameRow

_KEYWORD = "KEYWORD"
_LAST = "\U0010ffff"
_MOST_ELSEWHERE = 2_000
_FEWEST_LETTERS = 2  # before names of packages that are not used here come
_OWN = 20
_Fitting = Callable[[NameRow], bool]
_NEAR = 100_000


class _Found(NamedTuple):
    """A name, and what its place among the others depends on: the least first."""

    far: bool
    match: int
    unfit: bool
    unlikely: int
    written: str
    row: NameRow | None


def complete(
    index: Reading, asked: CompleteParameters, near: Mapping[str, int] | None = None
) -> CompleteAnswer | NotFound:
    """Answer complete from ``index``; ``near`` counts the names in the text around, which come first."""
    package = package_argument(index, asked.package)
    if isinstance(package, NotFound):
        return package
    fits = _fitting(index, asked.at)
    text = asked.text.strip()
    before, colon, name = text.partition(":")
    if not colon:
        found = _here(index, text, package.id, fits)
    elif not before:
        found = _keywords(index, name)
    else:
        named = split_package(before, index.upcase)
        of = find_package(index, named, package.id)
        if of is None:
            return package_not_found(index, named)
        colons = "::" if name.startswith(":") else ":"
        found = _within(index, f"{before}{colons}", name.lstrip(":"), of.id, fits)
    if near:
        found = (one._replace(unlikely=one.unlikely - _NEAR * near.get(one.written, 0)) for one in found)
    names = sorted(found)
    shown = names[: asked.limit] if asked.limit else names
    completions = [_completion(index, one) for one in shown]
    return CompleteAnswer(asked.text, package.name, len(names), completions)


def _here(index: Reading, text: str, package: int, fits: _Fitting | None) -> Iterator[_Found]:
    """The accessible names, then those that packages export which are not used here, and packages."""
    match = matcher(index.fold(text))
    seen: set[int] = set()
    own = index.package_names.get(package)
    rows = index.remembered(sql.PRESENT_NAMES, package=package, external=0)
    for row in map(NameRow._make, (*rows, *index.remembered(sql.INHERITED_NAMES, package=package))):
        kind = match(index.fold(row.name))
        if kind is not None and row.symbol not in seen and row.home != _KEYWORD:
            seen.add(row.symbol)
            times = _OWN if row.home == own else 1
            yield _found(row, own_name(row.name, index.upcase), fits, kind, times=times)
    if len(text) < _FEWEST_LETTERS:
        return
    upcased = index.upcase(text)
    rows = index.rows(sql.NAMES_BETWEEN, first=upcased, last=upcased + _LAST, limit=_MOST_ELSEWHERE)
    for row in map(NameRow._make, rows):
        if row.symbol not in seen and row.home is not None and row.home != _KEYWORD:
            written = f"{own_name(row.home, index.upcase)}:{own_name(row.name, index.upcase)}"
            yield _found(row, written, fits, far=True)
    for name in index.package_numbers:
        if (kind := match(index.fold(name))) is not None:
            yield _Found(True, kind, True, 0, f"{own_name(name, index.upcase)}:", None)


def _within(index: Reading, before: str, text: str, package: int, fits: _Fitting | None) -> Iterator[_Found]:
    """The names of a package that is typed before them, with its colons."""
    match = matcher(index.fold(text))
    rows = index.remembered(sql.PRESENT_NAMES, package=package, external=int(not before.endswith("::")))
    for row in map(NameRow._make, rows):
        if (kind := match(index.fold(row.name))) is not None:
            yield _found(row, f"{before}{own_name(row.name, index.upcase)}", fits, kind)


def _keywords(index: Reading, name: str) -> Iterator[_Found]:
    upcased = index.upcase(name)
    for row in map(NameRow._make, index.rows(sql.KEYWORDS_BETWEEN, first=upcased, last=upcased + _LAST)):
        yield _found(row, f":{own_name(row.name, index.upcase)}", None)


def _found(
    row: NameRow,
    written: str,
    fits: _Fitting | None,
    match: int = 0,
    *,
    far: bool = False,
    times: int = 1,
) -> _Found:
    """A symbol, ``times`` as likely as its uses at such places make it."""
    unfit = fits is not None and not fits(row)
    likely = row.calls if fits is _is_operator else row.others
    return _Found(far, match, unfit, -likely * times, written, row)


def _is_operator(row: NameRow) -> bool:
    return row.type in OPERATORS


def _fitting(index: Reading, place: str) -> _Fitting | None:
    """What tells whether a symbol fits a place; None if any does."""
    if place == OPERATOR:
        return _is_operator
    if place not in KINDS:
        return None
    kinds = json.dumps(KINDS[place])
    symbols = frozenset(row[0] for row in index.remembered(sql.DEFINED_AS, kinds=kinds))
    return lambda row: row.symbol in symbols


def _completion(index: Reading, one: _Found) -> Completion:
    row = one.row
    arglist = index.rows(sql.ARGLIST, symbol=row.symbol) if row is not None else []
    return Completion(
        written=one.written,
        type=row.type.lower() if row is not None else "package",
        package=row.home if row is not None else None,
        match=MATCHES[one.match],
        accessible=not one.far,
        uses=row.calls + row.others if row is not None else 0,
        arglist=arglist[0][0] if arglist else None,
    )
