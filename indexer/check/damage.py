"""What the checksums of a file say about it, by table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from ..checksums import wrong_pages
from ..own_schema import MASTER, schema_difference

_MOST_PAGES = 200
_TABLE_OF = """
SELECT coalesce(sqlite_master.tbl_name, dbstat.name) FROM dbstat
LEFT JOIN sqlite_master ON sqlite_master.name = dbstat.name WHERE dbstat.pageno = ?
"""
_HEADER_TABLE = "sqlite_schema"  # which is on the first page, with the number of changes to the file


def checksum_findings(path: Path, connection: sqlite3.Connection, kind: str) -> Iterator[str]:
    """What was changed in the file ``path``, an "index" or a "catalog", after it was built, a line each.

    ``connection`` is open to it. Raises OSError.
    """
    try:
        if different := schema_difference(connection.execute(MASTER), kind):
            yield different
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        yield f"SQLite cannot read the file: {error}"
    wrong = wrong_pages(path)
    if wrong is None:
        wrong_end = "the checksums at its end are missing or wrong"
        yield f"the file has been changed since the {kind} was built: {wrong_end}"
        return
    tables = {table for page in wrong[:_MOST_PAGES] if (table := _table(connection, page)) is not None}
    for table in sorted(tables - {_HEADER_TABLE} or tables):
        yield f"the table {table} has been changed since the {kind} was built: its checksums are wrong"
    if wrong and not tables:
        yield f"page {wrong[0]} has been changed since the {kind} was built: its checksum is wrong"


def _table(connection: sqlite3.Connection, page: int) -> str | None:
    """The table that a page is of; None if that cannot be told."""
    try:
        row = connection.execute(_TABLE_OF, [page]).fetchone()
    except (sqlite3.DatabaseError, UnicodeDecodeError):  # damaged, or an SQLite without dbstat
        return None
    return str(row[0]) if row else None
