"""The tables of an index in few lines, for whoever writes a statement for ``oblist query``."""

from __future__ import annotations

from ...index.reading import Reading
from . import sql
from .sql import ColumnRow

_LEFT_OUT = frozenset(
    (
        *("components", "descriptions", "documentation", "expansions", "kinds", "meta", "roots"),
        *("short_patterns", "unread_text", "used_symbols", "using_symbols", "signatures", "exported_names"),
        *("package_local_nicknames", "package_shadowing", "default_initargs", "structure_functions"),
        *("problems", "biggest_classes"),
    )
)
"""Tables from which other commands make answers, and which statements hardly need."""
_COLUMNS_LEFT_OUT = frozenset(
    (
        *("position", "folded", "search_id", "search_rank", "words", "recorded", "size", "sha256", "root_id"),
        *("relative_path", "toplevel_form", "toplevel_offset", "form_number", "text_relation_id"),
        *("start_offset", "end_offset", "length", "eql", "eql_class_id", "finalized", "representation"),
        *("accessor_prefix", "deprecated_since", "replacement", "licence", "author", "definition_path"),
        *("read_only", "expansion_id", "version", "locked", "callee_operator", "target_id", "value"),
    )
)
_HEADING = (
    "For `oblist query`: tables, then views. Names are as printed (MAPCAR); system_id is the id of a row of "
    "systems, class_id>definitions one of definitions; docs/formats/index.md has the rest."
)


def tables_text(index: Reading) -> str:
    """Return the tables and views that most statements need, each on a line with its most asked columns."""
    listed: dict[str, list[str]] = {}
    for row in map(ColumnRow._make, index.rows(sql.COLUMNS)):
        internal = row.table in _LEFT_OUT or "_fts_" in row.table or row.table.startswith("sqlite_")
        if not internal and row.column not in _COLUMNS_LEFT_OUT:
            listed.setdefault(row.table, []).append(_named(row))
    return "\n".join([_HEADING, *(f"{name}: {' '.join(columns)}" for name, columns in listed.items())])


def _named(row: ColumnRow) -> str:
    """Return the name of a column and, unless that tells it, the table that it links to."""
    if row.linked is None or row.linked == f"{row.column.removesuffix('_id')}s":
        return row.column
    return f"{row.column}>{row.linked}"
