"""apropos: the symbols whose names contain a pattern."""

from __future__ import annotations

import json
import re
from typing import Any

from ...index.finding.phrases import phrase
from ...index.finding.resolve import FoundPackage, package_argument
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.written import written
from ..paging import page
from . import sql
from .answer import AproposAnswer, AproposMatch, SeenMatch
from .choices import TYPES
from .parameters import AproposParameters

_TRIGRAM = 3
_MANY = 1000
_VERY_MANY = 10_000
_ROWS_A_MATCH = 10
# With fewer exported matches than the first, internal ones are mentioned; of the project, so many are named.
_FEW, _MOST_NAMED = 5, 8
_LOWER = {kind.upper(): kind for kind in (*TYPES, "symbol")}

MatchRow = tuple[str, str, str, int]
"""Name, package, type and number of a symbol that matches."""

# What wildcards and regular expressions have, and names seldom do at these places.
_WILDCARDS = re.compile(r"^\^|^\.?\*|\.?\*$|\$$|\?$")


def apropos(index: Reading, asked: AproposParameters) -> AproposAnswer | NotFound:
    """Answer apropos from ``index``."""
    if (answer := refused(asked.type)) is not None:
        return answer
    where: FoundPackage | None = None
    if asked.package is not None:
        found = package_argument(index, asked.package)
        if isinstance(found, NotFound):
            return found
        where = found
    candidates = _Candidates(index, where, asked)
    total, shown = _page(index, candidates, asked)
    return AproposAnswer(
        pattern=asked.pattern,
        package=where.name if where else None,
        type=asked.type.lower() if asked.type else None,
        total=total,
        offset=asked.offset,
        matches=matches_of(index, shown, where),
        note=(None if total else hint(asked.pattern)) or _of_internal(index, candidates, total),
    )


def refused(kind: str | None) -> NotFound | None:
    """The answer for a ``kind`` that is not one of TYPES."""
    if kind is None or kind.lower() in TYPES:
        return None
    return NotFound(
        "invalid-type", f"Invalid type: {kind}. Valid types: {', '.join(TYPES)}", None, list(TYPES)
    )


def hint(pattern: str) -> str | None:
    """A remark about a pattern that looks like a wildcard or a regular expression, and matches nothing."""
    plain = _WILDCARDS.sub("", pattern)
    if not plain or plain == pattern:
        return None
    return f"the pattern must be part of a name, not a wildcard or a regular expression: try {plain}"


def _of_internal(index: Reading, asked: _Candidates, total: int) -> str | None:
    """A remark about internal symbols that match where few exported ones do; it names the project's own."""
    if asked.where is not None or asked.way != "trigram" or total >= _FEW or index.is_catalog:
        return None
    statement = sql.INTERNAL_WITH + (sql.APROPOS_TYPE if "type" in asked.values else "")
    found = index.rows(statement, **asked.values)
    if not found:
        return None
    names = index.package_names
    own = sorted((name, names[package]) for name, package in found if package in index.own_packages)
    said = "1 internal symbol matches" if len(found) == 1 else f"{len(found):,} internal symbols match"
    too = f"{said} too" if total else said
    if not own:
        return f"{too}; name a package to see its internal symbols"
    shown = ", ".join(written(index, name, package, "internal") for name, package in own[:_MOST_NAMED])
    rest = f" and {len(own) - _MOST_NAMED} more" if len(own) > _MOST_NAMED else ""
    whose = "" if len(own) == len(found) else f", {len(own)} of the project"
    return f"{too}{whose}: {shown}{rest}"


class _Candidates:
    """The statement that selects all matches, unsorted, and its values."""

    def __init__(self, index: Reading, where: FoundPackage | None, asked: AproposParameters) -> None:
        pattern, kind = asked.pattern, asked.type
        self.where = where
        self.folded = index.fold(pattern)
        self.way, self.values = candidates_of(index, pattern)
        if where is not None and self.way == "trigram" and _is_smaller(index, where, self.values):
            self.way, self.values = "scan", {"folded": self.folded}
        self.is_plain = where is None and kind is None
        of_kind = "" if kind is None else sql.APROPOS_TYPE
        if kind is not None:
            self.values["type"] = kind.upper()
        if where is None:
            self.statement = sql.APROPOS_EXPORTED_CANDIDATES[self.way] + of_kind
        else:
            self.statement = sql.in_package(self.way, asked.scope, of_kind)
            self.values["package"] = where.id

    @property
    def is_short(self) -> bool:
        """Whether the pattern is too short for full text."""
        return len(self.folded) < _TRIGRAM

    def is_soon_met(self, index: Reading, total: int, end: int) -> bool:
        """Whether the first ``end`` of ``total`` matches are among few exported names.

        A match that full text gives takes ten times as long as a name that is passed over.
        """
        if total <= _MANY or index.is_catalog:
            return False
        ((names, _),) = index.rows(sql.SHORT_PATTERN, folded="")
        return bool(names * end < _ROWS_A_MATCH * total * total)


def _is_smaller(index: Reading, where: FoundPackage, values: dict[str, Any]) -> bool:
    """Whether a package has fewer symbols than there are names with the pattern, if these are many."""
    if len(index.rows(sql.CONTAINING, limit=_MANY, **values)) < _MANY:
        return False
    ((accessible,),) = index.rows(sql.ACCESSIBLE, package=where.id)
    return len(index.rows(sql.CONTAINING, limit=accessible + 1, **values)) > int(accessible)


def matching_rows(index: Reading, where: FoundPackage | None, asked: AproposParameters) -> list[MatchRow]:
    """Return every match, unsorted."""
    candidates = _Candidates(index, where, asked)
    return _matches(index, candidates, index.rows(candidates.statement, **candidates.values))


def _page(index: Reading, asked: _Candidates, wanted: AproposParameters) -> tuple[int, list[MatchRow]]:
    """Return the number of all matches, and those of one page in order."""
    limit, offset = wanted.limit, wanted.offset
    where = asked.where.name if asked.where else None
    bounds = page(limit, offset)
    if asked.is_plain and asked.is_short and limit and not index.is_catalog:
        return _page_of_short(index, asked, bounds)
    if asked.is_plain and asked.way == "trigram" and limit:
        return _page_of_exported(index, asked, bounds)
    # In a package, all candidates are read anyway.
    counting = asked.where is not None
    statement = sql.paged(asked.statement, counting=counting)
    rows = index.rows(statement, where=where, **bounds, **asked.values)
    if counting and rows:
        return rows[0][-1], _matches(index, asked, [row[:-1] for row in rows])
    is_last = not limit or len(rows) < limit
    if is_last and (rows or not offset):
        total = offset + len(rows)
    else:
        total = index.count(sql.counted(asked.statement), **asked.values)
    return total, _matches(index, asked, rows)


def _page_of_exported(
    index: Reading, asked: _Candidates, bounds: dict[str, int]
) -> tuple[int, list[MatchRow]]:
    """Like _page, for exported names that full text finds: it is asked once, unless it finds very many."""
    found = index.rows(sql.EXPORTED_WITH, limit=_VERY_MANY, **asked.values)
    total = len(found)
    if total == _VERY_MANY:
        total = index.count(sql.COUNT_EXPORTED, **asked.values)
    if asked.is_soon_met(index, total, bounds["limit"] + bounds["offset"]):
        statement = sql.paged(sql.APROPOS_EXPORTED_CANDIDATES["scan"], counting=False)
        rows = index.rows(statement, where=None, folded=asked.folded, **bounds)
    elif total > _VERY_MANY:
        rows = index.rows(sql.paged(asked.statement, counting=False), where=None, **bounds, **asked.values)
    else:
        symbols = json.dumps([symbol for (symbol,) in found])
        rows = index.rows(sql.PAGE_OF_LISTED, where=None, symbols=symbols, **bounds)
    return total, _matches(index, asked, rows)


def _page_of_short(index: Reading, asked: _Candidates, bounds: dict[str, int]) -> tuple[int, list[MatchRow]]:
    """Like _page, for a pattern that is too short for full text: how many have it, and if few, which."""
    found = index.rows(sql.SHORT_PATTERN, folded=asked.folded)
    if not found:
        return 0, []
    ((total, listed),) = found
    statement = sql.SHORT_PATTERN_PAGE if listed else sql.paged(asked.statement, counting=False)
    rows = index.rows(statement, where=None, **bounds, **asked.values | {"folded": asked.folded})
    return total, _matches(index, asked, rows)


def _matches(index: Reading, asked: _Candidates, rows: list[tuple[Any, ...]]) -> list[MatchRow]:
    names = index.package_names
    return [
        (
            row.name,
            _found_in(index, row.symbol, asked.where) if row.package is None else names[row.package],
            row.type,
            row.symbol,
        )
        for row in map(sql.NameCandidateRow._make, rows)
    ]


def candidates_of(index: Reading, pattern: str) -> tuple[str, dict[str, Any]]:
    """Return how the index finds a pattern, a key of APROPOS_EXPORTED_CANDIDATES, and the values for that."""
    folded = index.fold(pattern)
    way = _way(folded)
    return way, {"trigram": {"phrase": phrase(folded)}, "scan": {"folded": folded}}.get(way, {})


def matches_of(
    index: Reading, rows: list[MatchRow], where: FoundPackage | None
) -> list[AproposMatch | SeenMatch]:
    """Convert rows to matches, with their status in the package searched."""
    found: list[AproposMatch | SeenMatch]
    if where is None:
        found = [AproposMatch(name, home, _LOWER[kind], "external") for name, home, kind, _ in rows]
    else:
        symbols = json.dumps([row[-1] for row in rows])
        present = dict(index.rows(sql.STATUSES, symbols=symbols, package=where.id))
        found = [
            AproposMatch(name, home, _LOWER[kind], present.get(symbol, "inherited"))
            for name, home, kind, symbol in rows
        ]
    return found if index.standpoint is None else _seen(index, found, rows)


def _seen(
    index: Reading, found: list[AproposMatch | SeenMatch], rows: list[MatchRow]
) -> list[AproposMatch | SeenMatch]:
    """Return the matches as the standpoint of the index has them written."""
    return [
        SeenMatch(
            one.name,
            one.package,
            one.type,
            one.status,
            written(index, one.name, one.package, None, number=number),
        )
        for one, (*_, number) in zip(found, rows, strict=True)
    ]


def _way(folded: str) -> str:
    """Return how the index finds a pattern: FTS5 needs at least three characters, none of them NUL."""
    if not folded:
        return "all"
    return "trigram" if len(folded) >= _TRIGRAM and "\0" not in folded else "scan"


def _found_in(index: Reading, symbol: int, where: FoundPackage | None) -> str:
    """Return the package to show for a symbol without a home: the one searched, else its first package."""
    if where is not None:
        return where.name
    ((name,),) = index.rows(sql.FOUND_IN, symbol=symbol)
    return str(name)
