"""The rows of a statement as text: CSV, tab-separated, or a table for a terminal; pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...index.shown import for_terminal, shown_name
from .answer import QueryAnswer

if TYPE_CHECKING:
    from rich.table import Table


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
    return "\t".join(shown_name(_shown(value)) for value in row)


def table(answer: QueryAnswer) -> Table:
    """Return the rows as a table for rich, without control characters for the terminal."""
    from rich.table import Table
    from rich.text import Text

    shown = Table()
    for column in answer.columns:
        shown.add_column(Text(for_terminal(column)), overflow="fold")
    for row in answer.rows:
        shown.add_row(*(Text(for_terminal(_shown(value))) for value in row))
    return shown


def _shown(value: object) -> str:
    return "" if value is None else str(value)
