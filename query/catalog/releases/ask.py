"""catalog releases: the releases of a catalog, by name."""

from __future__ import annotations

from ...index.reading import Reading
from ...questions.paging import page
from ..release_names import label
from . import sql
from .answer import ReleaseLine, ReleasesAnswer
from .sql import ListedRow

STATES = ("loaded", "partly", "failed")


def releases(
    catalog: Reading, name: str = "", *, state: str | None = None, limit: int = 0, offset: int = 0
) -> ReleasesAnswer:
    """Answer catalog releases; the arguments are those of Catalog.releases."""
    part = name.strip().lower()
    total = catalog.count(sql.RELEASES_COUNT, name=part, state=state)
    rows = catalog.rows(sql.RELEASES_LIKE, name=part, state=state, **page(limit, offset))
    return ReleasesAnswer(name, state, total, offset, [_line(ListedRow._make(row)) for row in rows])


def _line(row: ListedRow) -> ReleaseLine:
    return ReleaseLine(
        label(row.name, row.version),
        row.name,
        row.version,
        bool(row.newest),
        row.state,
        row.exports,
        row.licence,
        row.description,
    )
