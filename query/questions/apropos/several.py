"""apropos of several indexes: the symbols of all of them, each once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from oblist.indexer.names import split_package

from ...index.finding.resolve import FoundPackage, package_argument
from ...index.not_found import NotFound
from ...index.reading import Reading
from ..merging import Refusal, extended, missing, none_has
from . import sql
from .ask import MatchRow, candidates_of, hint, matches_of, matching_rows, refused
from .parameters import AproposParameters
from .several_answer import SeveralAproposAnswer, SeveralAproposMatch
from .sql import PackageCalledRow


@dataclass(frozen=True, slots=True)
class _Part:
    """The matches of one index, or of the catalog, and the package that was searched."""

    reading: Reading
    where: FoundPackage | None
    rows: list[MatchRow]

    @property
    def path(self) -> str:
        """The path of the index."""
        return str(self.reading.path)


def apropos_in_several(
    readings: Sequence[Reading], asked: AproposParameters
) -> SeveralAproposAnswer | NotFound:
    """Answer apropos from all ``readings``."""
    if (answer := refused(asked.type)) is not None:
        return answer
    answers = [_part(one, asked) for one in readings]
    parts = [one for one in answers if isinstance(one, _Part)]
    if not any(one.where for one in parts) and asked.package is not None:
        return none_has(_refusals(readings, answers))
    found = _union(parts)
    keys = sorted(found)
    end = asked.offset + asked.limit if asked.limit else None
    counts = Counter(part.path for holders in found.values() for part, _ in holders)
    return SeveralAproposAnswer(
        pattern=asked.pattern,
        package=next((one.where.name for one in parts if one.where), None),
        type=asked.type.lower() if asked.type else None,
        total=len(keys),
        offset=asked.offset,
        matches=[_match(found[key]) for key in keys[asked.offset : end]],
        note=None if keys else hint(asked.pattern),
        incomplete=_missing(answers, readings, nothing=not keys),
        indexes={str(one.path): counts[str(one.path)] for one in readings},
        catalog=next((str(one.path) for one in readings if one.is_catalog), None),
    )


def _part(reading: Reading, asked: AproposParameters) -> _Part | NotFound:
    """Return the matches of one of them; NotFound if it has no such package."""
    if reading.is_catalog and asked.package is not None:
        return _part_of_catalog(reading, asked, asked.package)
    where = None
    if asked.package is not None:
        found = package_argument(reading, asked.package)
        if isinstance(found, NotFound):
            return found
        where = found
    return _Part(reading, where, matching_rows(reading, where, asked))


def _part_of_catalog(catalog: Reading, asked: AproposParameters, package: str) -> _Part | NotFound:
    """Return the exported symbols of all packages of that name in the catalog; it has no others."""
    token = split_package(package, catalog.upcase)
    named = [
        PackageCalledRow._make(row)
        for name in token.spellings
        for row in catalog.rows(sql.PACKAGES_CALLED, name=name)
    ]
    if not named:
        answer = package_argument(catalog, package)
        assert isinstance(answer, NotFound)
        return answer
    way, values = candidates_of(catalog, asked.pattern)
    values["packages"] = json.dumps([one.number for one in named if one.name == named[0].name])
    statement = sql.APROPOS_EXPORTED_CANDIDATES[way] + sql.EXPORTED_FROM
    if asked.type is not None:
        statement += sql.APROPOS_TYPE
        values["type"] = asked.type.upper()
    names = catalog.package_names
    rows = [
        (row.name, names[row.package] if row.package is not None else named[0].name, row.type, row.symbol)
        for row in map(sql.NameCandidateRow._make, catalog.rows(statement, **values))
    ]
    return _Part(catalog, FoundPackage(named[0].number, named[0].name), rows)


def _refusals(readings: Sequence[Reading], asked: Sequence[_Part | NotFound]) -> list[Refusal]:
    """The negative answers of the indexes; those of the catalog are about indexes."""
    together = zip(readings, asked, strict=True)
    return [(one, answer) for one, answer in together if isinstance(answer, NotFound) and not one.is_catalog]


def _union(parts: Sequence[_Part]) -> dict[tuple[str, str], list[tuple[_Part, MatchRow]]]:
    """The parts that have each name and package, with their row of it."""
    found: dict[tuple[str, str], list[tuple[_Part, MatchRow]]] = {}
    for part in parts:
        for row in sorted(part.rows):
            holders = found.setdefault(row[:2], [])
            if not holders or holders[-1][0] is not part:  # several versions of a release may have it
                holders.append((part, row))
    return found


def _match(holders: Sequence[tuple[_Part, MatchRow]]) -> SeveralAproposMatch:
    part, row = holders[0]
    # All that a catalog has is external where it was looked for.
    (match,) = matches_of(part.reading, [row], None if part.reading.is_catalog else part.where)
    return extended(SeveralAproposMatch, match, indexes=[one.path for one, _ in holders])


def _missing(asked: Sequence[_Part | NotFound], readings: Sequence[Reading], *, nothing: bool) -> str | None:
    """Return what the indexes may lack, as for one; only those that have the package are asked about it."""
    packages = [
        (one, part.where.name if isinstance(part, _Part) and part.where and not nothing else None)
        for one, part in zip(readings, asked, strict=True)
        if nothing or isinstance(part, NotFound) or part.where is not None
    ]
    return missing(packages)
