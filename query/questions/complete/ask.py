"""complete: the names that code may mean by a beginning."""

from __future__ import annotations

from collections.abc import Iterator
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
from .sql import NameRow

_OPERATORS = frozenset(("FUNCTION", "MACRO", "GENERIC-FUNCTION", "SPECIAL-OPERATOR"))
_LAST = "\U0010ffff"
_MOST_ELSEWHERE = 2_000
_FEWEST_LETTERS = 2  # before names of packages that are not used here come
_OWN = 20


class _Found(NamedTuple):
    """A name, and what its place among the others depends on: the least first."""

    far: bool
    match: int
    unfit: bool
    unlikely: float
    written: str
    row: NameRow | None


def complete(index: Reading, asked: CompleteParameters) -> CompleteAnswer | NotFound:
    """Answer complete from ``index``."""
    package = package_argument(index, asked.package)
    if isinstance(package, NotFound):
        return package
    text = asked.text.strip()
    before, colon, name = text.partition(":")
    if before:
        named = split_package(before, index.upcase) if colon else None
        of = find_package(index, named, package.id) if named is not None else None
        if colon and of is None and named is not None:
            return package_not_found(index, named)
        found = list(
            _within(index, text, before, of.id, asked) if of else _here(index, text, package.id, asked)
        )
    else:
        found = list(_keywords(index, name) if colon else _here(index, text, package.id, asked))
    found.sort()
    shown = found[: asked.limit] if asked.limit else found
    completions = [_completion(index, one) for one in shown]
    return CompleteAnswer(asked.text, package.name, len(found), completions)


def _here(index: Reading, text: str, package: int, asked: CompleteParameters) -> Iterator[_Found]:
    """The accessible names, then those that packages export which are not used here, and packages."""
    match = matcher(index.fold(text))
    seen: set[int] = set()
    own = index.package_names.get(package)
    for statement in (sql.PRESENT_NAMES, sql.INHERITED_NAMES):
        for row in map(NameRow._make, index.remembered(statement, package=package)):
            kind = match(index.fold(row.name))
            if kind is None or row.symbol in seen or row.home == "KEYWORD":
                continue
            seen.add(row.symbol)
            likely = row.likely(operator=asked.operator) * (_OWN if row.home == own else 1)
            unfit = asked.operator and row.type not in _OPERATORS
            yield _Found(False, kind, unfit, -likely, own_name(row.name, index.upcase), row)
    if len(text) < _FEWEST_LETTERS:
        return
    upcased = index.upcase(text)
    rows = index.rows(sql.NAMES_BETWEEN, first=upcased, last=upcased + _LAST, limit=_MOST_ELSEWHERE)
    for row in map(NameRow._make, rows):
        if row.symbol not in seen and row.home is not None and row.home != "KEYWORD":
            written = f"{own_name(row.home, index.upcase)}:{own_name(row.name, index.upcase)}"
            unfit = asked.operator and row.type not in _OPERATORS
            yield _Found(True, 0, unfit, -row.likely(operator=asked.operator), written, row)
    for name in sorted(index.package_numbers):
        if (kind := match(index.fold(name))) is not None:
            yield _Found(True, kind, True, 0, f"{own_name(name, index.upcase)}:", None)


def _within(
    index: Reading, text: str, before: str, package: int, asked: CompleteParameters
) -> Iterator[_Found]:
    """The names of a package that is typed before them."""
    colons = "::" if text.startswith("::", len(before)) else ":"
    match = matcher(index.fold(text[len(before) :].lstrip(":")))
    statement = sql.PRESENT_NAMES if colons == "::" else sql.EXPORTED_NAMES
    for row in map(NameRow._make, index.remembered(statement, package=package)):
        if (kind := match(index.fold(row.name))) is not None:
            written = f"{before}{colons}{own_name(row.name, index.upcase)}"
            unfit = asked.operator and row.type not in _OPERATORS
            yield _Found(False, kind, unfit, -row.likely(operator=asked.operator), written, row)


def _keywords(index: Reading, name: str) -> Iterator[_Found]:
    upcased = index.upcase(name)
    for row in map(NameRow._make, index.rows(sql.KEYWORDS_BETWEEN, first=upcased, last=upcased + _LAST)):
        yield _Found(False, 0, False, -row.uses, f":{own_name(row.name, index.upcase)}", row)


def _completion(index: Reading, one: _Found) -> Completion:
    row = one.row
    arglist = index.rows(sql.ARGLIST, symbol=row.symbol) if row is not None else []
    return Completion(
        written=one.written,
        type=row.type.lower() if row is not None else "package",
        package=row.home if row is not None else None,
        match=MATCHES[one.match],
        accessible=not one.far,
        uses=row.uses if row is not None else 0,
        arglist=arglist[0][0] if arglist else None,
    )
