"""catalog releases: the releases of a catalog, by name."""

from __future__ import annotations

from ...index.reading import Reading
from ...questions.paging import page
from ..release_names import label
from . import sql
from .answer import ReleaseLine, ReleasesAnswer
from .parameters import ReleasesParameters
from .sql import ListedRow


def releases(catalog: Reading, asked: ReleasesParameters) -> ReleasesAnswer:
    """Answer catalog releases."""
    name, state = asked.name, asked.state
    part = name.strip().lower()
    total = catalog.count(sql.RELEASES_COUNT, name=part, state=state)
    rows = catalog.rows(sql.RELEASES_LIKE, name=part, state=state, **page(asked.limit, asked.offset))
    return ReleasesAnswer(name, state, total, asked.offset, [_line(ListedRow._make(row)) for row in rows])


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
