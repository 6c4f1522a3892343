"""package: the exports of a package, and the packages it uses."""

from __future__ import annotations

from ...index.finding.resolve import package_argument
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.sentence import first_sentence
from ...index.written import written
from ..paging import page
from . import sql
from .answer import PackageAnswer, PackageExport, SeenExport
from .parameters import PackageParameters


def describe_package(index: Reading, asked: PackageParameters) -> PackageAnswer | NotFound:
    """Answer package from ``index``."""
    match, kind = asked.match, asked.kind
    found = package_argument(index, asked.name)
    if isinstance(found, NotFound):
        return found
    (row,) = index.rows(sql.PACKAGE, package=found.id)
    package = sql.PackageFactsRow(*row)
    bounds = page(asked.limit, asked.offset)
    ((exported,),) = index.rows(sql.PACKAGE_EXPORTS_TOTAL, package=found.id)
    if match or kind or asked.undocumented:
        chosen = {"package": found.id, "folded": index.fold(match), "type": kind and kind.upper()}
        chosen["undocumented"] = asked.undocumented
        exports = index.rows(sql.CHOSEN_EXPORTS, **chosen, **bounds)
        total = index.count(sql.CHOSEN_EXPORTS_TOTAL, **chosen)
    else:
        exports = index.rows(sql.PACKAGE_EXPORTS, package=found.id, **bounds)
        total = exported
    return PackageAnswer(
        name=found.name,
        documentation=package.documentation,
        locked=bool(package.locked),
        nicknames=[row[0] for row in index.rows(sql.PACKAGE_NICKNAMES, package=found.id)],
        local_nicknames=dict(index.rows(sql.PACKAGE_LOCAL_NICKNAMES, package=found.id)),
        uses=[row[0] for row in index.rows(sql.PACKAGE_USES, package=found.id)],
        used_by=[row[0] for row in index.rows(sql.PACKAGE_USED_BY, package=found.id)],
        present=package.present,
        exported=exported,
        exports_total=total,
        offset=asked.offset,
        exports=[_export(index, one, found.name) for one in map(sql.ExportRow._make, exports)],
    )


def _export(index: Reading, row: sql.ExportRow, package: str) -> PackageExport:
    facts = row.name, row.type.lower(), row.home, row.arglist, first_sentence(row.documentation)
    if index.standpoint is None:
        return PackageExport(*facts)
    return SeenExport(*facts, written(index, row.name, row.home or package, "external"))
