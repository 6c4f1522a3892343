"""The full text tables, made after all rows and the views."""

from __future__ import annotations

import sqlite3

# Full text: table, its column with the numbers of rows, columns, tokenizer. Names are folded already, so the
# trigram tokenizer must not fold again: SQLite's folding joins characters that CHAR-EQUAL keeps apart.
# Exported names have a table of their own: most questions are about them, but most names are not exported.
FULL_TEXT = (
    ("symbols", "id", ("folded",), "trigram case_sensitive 1"),
    ("exported_names", "search_id", ("folded",), "trigram case_sensitive 1"),
    ("definitions", "search_id", ("words", "arglist", "documentation"), "porter unicode61"),
    # The name of a type is one word: what is left to separate them are spaces, parentheses and quotes.
    (
        "signatures",
        "id",
        ("argument_types", "result_types"),
        "unicode61 tokenchars ''!$%&*+-./:<=>?@[\\]^_{|}~''",
    ),
)


FullText = tuple[tuple[str, str, tuple[str, ...], str], ...]


def _columns(source: str, full_text: FullText) -> tuple[str, str]:
    """The column with the numbers of rows, and those with text."""
    return next((number, ", ".join(columns)) for name, number, columns, _ in full_text if name == source)


def fulltext_add(source: str, condition: str, full_text: FullText = FULL_TEXT) -> str:
    """The statement that adds the rows of ``source`` that fulfil ``condition`` to its full text."""
    number, columns = _columns(source, full_text)
    return (
        f"INSERT INTO {source}_fts (rowid, {columns})"
        f" SELECT {number}, {columns} FROM {source} WHERE {condition}"
    )


def fulltext_drop(source: str, condition: str, full_text: FullText = FULL_TEXT) -> str:
    """The statement that drops the rows of ``source`` that fulfil ``condition`` from its full text.

    It comes before the rows change: FTS5 has to be told what it indexed (sqlite.org/fts5.html, section 6.2).
    """
    number, columns = _columns(source, full_text)
    return (
        f"INSERT INTO {source}_fts ({source}_fts, rowid, {columns})"
        f" SELECT 'delete', {number}, {columns} FROM {source} WHERE {condition}"
    )


def write_fulltext(connection: sqlite3.Connection, full_text: FullText = FULL_TEXT) -> None:
    """Create and fill the FTS5 tables of ``full_text``, over tables and over views that have an id."""
    for source, number, columns, tokenizer in full_text:
        connection.execute(
            f"CREATE VIRTUAL TABLE {source}_fts USING fts5({', '.join(columns)}, "
            f"tokenize='{tokenizer}', content='{source}', content_rowid='{number}')"
        )
        connection.execute(f"INSERT INTO {source}_fts ({source}_fts) VALUES ('rebuild')")
