"""The SELECTs that query needs besides the user's own."""

from __future__ import annotations

from typing import NamedTuple

# Declares the full-text tables to this connection; reads nothing.
DECLARE_FULL_TEXT = "SELECT 1 FROM symbols_fts, exported_names_fts, definitions_fts WHERE 0"

# The columns of all tables, then of all views, each with the table that it links to.
COLUMNS = """
SELECT whole.name, part.name, link."table"
FROM sqlite_schema AS whole CROSS JOIN pragma_table_info(whole.name) AS part
LEFT JOIN pragma_foreign_key_list(whole.name) AS link ON link."from" = part.name
WHERE whole.type IN ('table', 'view') AND whole.sql NOT LIKE 'CREATE VIRTUAL%'
ORDER BY whole.type, whole.rowid, part.cid
"""


class ColumnRow(NamedTuple):
    """One row of COLUMNS."""

    table: str
    column: str
    linked: str | None
