"""describe of several indexes: the first that has the name, and which others have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...catalog.provides import sql as provides_sql
from ...catalog.provides.sql import ReleaseSymbolRow
from ...catalog.release_names import label
from ...index import sql as index_sql
from ...index.finding.resolve import Resolved
from ...index.not_found import NotFound
from ...index.present.outdated import with_outdated
from ...index.reading import Reading
from ...index.written import typed_name, written
from ..merging import extended, missing, none_has
from .ask import describe, find
from .parameters import DescribeParameters
from .several_answer import AlsoIn, SeveralDescribeAnswer


def describe_in_several(
    readings: Sequence[Reading], asked: DescribeParameters
) -> SeveralDescribeAnswer | NotFound:
    """Answer describe from the first of ``readings`` that has the name.

    A slice that only uses a name of another release counts only if no index has more of it.
    """
    indexes = [one for one in readings if not one.is_catalog]
    found = [(one, find(one, asked.name, asked.package)) for one in indexes]
    having = [(one, that.found) for one, that in found if not isinstance(that, NotFound)]
    if not having:
        return none_has([(one, that) for one, that in found if isinstance(that, NotFound)])
    bringing = [(one, that) for one, that in having if that.home not in (one.outside or ())]
    (first, symbol), *others = bringing or having
    described = describe(first, asked)
    answer = with_outdated(described, first)
    assert not isinstance(answer, NotFound), "it was found"
    before = indexes[: indexes.index(first)]
    also = [AlsoIn(str(one.path), None, _written(one, that)) for one, that in others]
    for catalog in readings:
        if catalog.is_catalog:
            also += _releases(catalog, symbol)
    return extended(
        SeveralDescribeAnswer,
        answer,
        index=str(first.path),
        also_in=also,
        incomplete=missing([*((one, None) for one in before), (first, answer.package)]),
    )


def _written(index: Reading, found: Resolved) -> str:
    exported_from = [row[0] for row in index.rows(index_sql.EXPORTED_FROM, symbol=found.symbol)]
    status = "external" if found.home in exported_from else "internal"
    return written(index, found.name, found.home, status, found.typed.operator)


def _releases(catalog: Reading, symbol: Resolved) -> Iterator[AlsoIn]:
    """The releases that export or define the symbol."""
    rows = catalog.rows(provides_sql.SYMBOLS_CALLED, name=symbol.name, package=symbol.home)
    called = {row for row in map(ReleaseSymbolRow._make, rows) if row.package == symbol.home}
    for row in sorted(called, key=lambda row: (-row.newest, row.release, row.version or "")):
        external = row.status == "external"
        form = typed_name(
            symbol.name, row.package, catalog.upcase, external=external, operator=symbol.typed.operator
        )
        yield AlsoIn(str(catalog.path), label(row.release, row.version), form)
