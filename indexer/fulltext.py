"""Full text tables and views, made when all rows are there."""

from __future__ import annotations

import sqlite3

import sqlite_utils

# Full text: table, columns, tokenizer. Names are folded already, so the trigram tokenizer must
# not fold again: SQLite's folding joins characters that CHAR-EQUAL keeps apart.
# Exported names have one of their own: most questions are about them, and most names are not.
FULL_TEXT = (
    ("symbols", ("folded",), "trigram case_sensitive 1"),
    ("exported_names", ("folded",), "trigram case_sensitive 1"),
    ("definitions", ("words", "arglist", "documentation"), "porter unicode61"),
)

VIEWS = {
    "exported_names": "SELECT id, name, folded, package_id, type FROM symbols WHERE exported",
    "exported_symbols": """
        SELECT packages.name AS package, symbols.name AS symbol, symbols.type AS type, symbols.id AS symbol_id
        FROM presences
        JOIN packages ON packages.id = presences.package_id
        JOIN symbols ON symbols.id = presences.symbol_id
        WHERE presences.status = 'external'""",
    "named_references": """
        SELECT relations.relation, symbols.name AS callee, symbol_references.callee_operator,
               coalesce(caller_symbols.name, callers.name) AS caller, definitions.kind AS caller_kind,
               source_files.recorded AS file, callers.toplevel_form, symbol_references.form_number
        FROM symbol_references
        JOIN relations ON relations.id = symbol_references.relation_id
        JOIN symbols ON symbols.id = symbol_references.callee_id
        JOIN callers ON callers.id = symbol_references.caller_id
        LEFT JOIN definitions ON definitions.id = callers.definition_id
        LEFT JOIN symbols AS caller_symbols ON caller_symbols.id = definitions.symbol_id
        LEFT JOIN source_files ON source_files.id = callers.file_id""",
    "undocumented_exports": """
        SELECT exported_symbols.package, exported_symbols.symbol, definitions.kind
        FROM exported_symbols
        JOIN definitions ON definitions.symbol_id = exported_symbols.symbol_id
        JOIN kinds ON kinds.kind = definitions.kind
        WHERE kinds.documentation_type IS NOT NULL AND definitions.documentation IS NULL
          AND exported_symbols.package <> 'KEYWORD'""",
}


def write_fulltext(connection: sqlite3.Connection) -> None:
    """Make and fill the FTS5 tables of ``FULL_TEXT``: over tables, and over views with an id."""
    for source, columns, tokenizer in FULL_TEXT:
        connection.execute(
            f"CREATE VIRTUAL TABLE {source}_fts USING fts5({', '.join(columns)}, "
            f"tokenize='{tokenizer}', content='{source}', content_rowid='id')"
        )
        connection.execute(f"INSERT INTO {source}_fts ({source}_fts) VALUES ('rebuild')")


def write_views(connection: sqlite3.Connection) -> None:
    """Make the views of ``VIEWS``."""
    database = sqlite_utils.Database(connection)
    for name, sql in VIEWS.items():
        database.create_view(name, sql.strip())
