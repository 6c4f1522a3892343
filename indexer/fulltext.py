"""Full text tables and views, made by sqlite-utils when all rows are there."""

from __future__ import annotations

import sqlite3

import sqlite_utils

from . import schema


def write_fulltext(connection: sqlite3.Connection) -> None:
    """Make and fill the FTS5 tables of ``schema.FULL_TEXT``."""
    database = sqlite_utils.Database(connection)
    for table, columns, tokenizer in schema.FULL_TEXT:
        database.table(table).enable_fts(columns, fts_version="FTS5", tokenize=tokenizer)


def write_views(connection: sqlite3.Connection) -> None:
    """Make the views of ``schema.VIEWS``."""
    database = sqlite_utils.Database(connection)
    for name, sql in schema.VIEWS.items():
        database.create_view(name, sql.strip())
