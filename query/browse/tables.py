"""The metadata for Datasette's own pages: table descriptions, facets, full-text search, named queries."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from . import sql
from .database import FULL_TEXT, IndexDatabase
from .links import Links, base_of

_FACETS = {
    "definitions": ["kind"],
    "symbols": ["type", "exported"],
    "source_files": ["system_id"],
    "packages": ["system_id"],
    "problems": ["stage"],
    "slots": ["allocation"],
    "presences": ["status"],
    "system_dependencies": ["relation"],
    "exported_symbols": ["type"],
    "undocumented_exports": ["kind"],
    "unused_internals": ["system", "kind"],
    "biggest_classes": ["kind"],
    "most_called": ["kind"],
}
_LABELS = {"source_files": "recorded", "definitions": "kind", "relations": "relation"}


def table_metadata(index: IndexDatabase) -> dict[str, Any]:
    """The metadata of an index for Datasette; a new object each time, since Datasette modifies it."""
    tables: dict[str, dict[str, Any]] = {}
    for (table, column), text in index.descriptions.items():
        entry = tables.setdefault(table, {"columns": {}})
        if column:
            entry["columns"][column] = text
        else:
            entry["description"] = text
    for table, facets in _FACETS.items():
        tables.setdefault(table, {})["facets"] = list(facets)
    for table, label in _LABELS.items():
        tables.setdefault(table, {})["label_column"] = label
    for table, (full_text, number) in FULL_TEXT.items():
        tables.setdefault(table, {}).update(fts_table=full_text, fts_pk=number)
    return {"description": "Everything a live SBCL knew about its symbols, as tables.", "tables": tables}


def linked_cell(datasette: Any, index: IndexDatabase, row: Any, column: str) -> Markup | None:
    """A cell that names a symbol, package or system, as a link to its page; None if it has no page.

    ``row`` has its columns by name. Text that is not ASCII is left alone: only an open index knows which
    characters have case.
    """
    known = {name: row[name] for name in row.keys()}  # noqa: SIM118 - an SQLite row, not a dict
    text, package = known[column], known.get("package")
    links = Links(base_of(datasette, index), "", str.upper)
    if column == "system":
        link = links.system(text)
    elif not isinstance(package, str) or not (text + package).isascii():
        return None
    else:
        link = links.package(package) if column == "package" else links.symbol(package, text)
    return Markup('<a href="{}">{}</a>').format(link, text)


def named_queries() -> dict[str, Any]:
    """The named queries: the query layer's own statements, by name.

    Datasette shows a query instead of a table or view of the same name, so the names must differ.
    """
    return {
        query.name: {
            "sql": query.statement.strip(),
            "title": query.title,
            "params": list(query.parameters),
        }
        for query in sql.NAMED_QUERIES
    }
