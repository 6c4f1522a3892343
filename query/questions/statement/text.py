"""The rows of a statement as text: CSV, or tab-separated; pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from ...index.shown import shown_name
from .answer import QueryAnswer


def csv_text(answer: QueryAnswer) -> str:
    """Return the rows as CSV, with a header line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows(answer.rows)
    return text.getvalue()


def tabbed_text(answer: QueryAnswer) -> str:
    """Return the header and the rows, one per line, with columns separated by tabs."""
    return "\n".join(_tabbed(row) for row in (answer.columns, *answer.rows))


def _tabbed(row: Iterable[object]) -> str:
    return "\t".join(shown_name(shown(value)) for value in row)


def shown(value: object) -> str:
    """A value as text: nothing for null."""
    return "" if value is None else str(value)
