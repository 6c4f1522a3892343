"""package: what a package exports, and which packages it uses."""

from __future__ import annotations

from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.resolve import package_argument
from ..paging import page
from . import sql
from .answer import PackageAnswer, PackageExport


def describe_package(index: Reading, name: str, limit: int, offset: int) -> PackageAnswer | NotFound:
    """Answer package from ``index``; the arguments are those of Index.package."""
    found = package_argument(index, name)
    if isinstance(found, NotFound):
        return found
    ((documentation, locked, present),) = index.rows(sql.PACKAGE, package=found.id)
    return PackageAnswer(
        name=found.name,
        documentation=documentation,
        locked=bool(locked),
        nicknames=[row[0] for row in index.rows(sql.PACKAGE_NICKNAMES, package=found.id)],
        local_nicknames=dict(index.rows(sql.PACKAGE_LOCAL_NICKNAMES, package=found.id)),
        uses=[row[0] for row in index.rows(sql.PACKAGE_USES, package=found.id)],
        used_by=[row[0] for row in index.rows(sql.PACKAGE_USED_BY, package=found.id)],
        present=present,
        exports_total=index.rows(sql.PACKAGE_EXPORTS_TOTAL, package=found.id)[0][0],
        offset=offset,
        exports=[
            PackageExport(symbol, kind.lower(), home, _first_line(text))
            for symbol, kind, home, text in index.rows(
                sql.PACKAGE_EXPORTS, package=found.id, **page(limit, offset)
            )
        ],
    )


def _first_line(text: str | None) -> str | None:
    """The first line of a documentation string that says something."""
    return next((line.strip() for line in (text or "").splitlines() if line.strip()), None)
