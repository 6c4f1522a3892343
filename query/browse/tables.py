"""What Datasette's own pages say of an index: what tables hold, how to search them, named queries."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from ..index import sql as index_sql
from ..questions.classes import sql as class_sql
from ..questions.describe import sql as describe_sql
from ..questions.package import sql as package_sql
from ..questions.search import sql as search_sql
from ..questions.xref import sql as xref_sql
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

# The numbers that the statements of the query layer are about, for a name as it stands in the index.
_PACKAGE = "(SELECT id FROM packages WHERE name = upper(:package) OR name = :package LIMIT 1)"
_SYMBOL = f"""(SELECT id FROM symbols
   WHERE package_id = {_PACKAGE} AND name IN (upper(:name), :name) ORDER BY name = :name LIMIT 1)"""
_PATTERN = """'"' || replace(lower(:pattern), '"', '""') || '"'"""


def table_metadata(index: IndexDatabase) -> dict[str, Any]:
    """The metadata of an index as Datasette takes it; made anew, since Datasette writes into it."""
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
    for table, full_text in FULL_TEXT.items():
        tables.setdefault(table, {}).update(fts_table=full_text, fts_pk="id")
    return {"description": "What a live SBCL knew of its symbols, in tables.", "tables": tables}


def linked_cell(datasette: Any, index: IndexDatabase, row: Any, column: str) -> Markup | None:
    """A cell that names a symbol, package or system, as a link to its page; None when it leads nowhere.

    ``row`` has its columns by name. What is not ASCII is left as it is: which characters have case, only an
    index that is open knows.
    """
    known = {name: row[name] for name in row.keys()}  # noqa: SIM118 - a row of SQLite's, no dict
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
    """Questions with a name: the query layer's own statements, asked by names.

    Datasette shows a query in the place of a table or view of the same name: none may have one.
    """
    about = _about
    found = {
        "definitions_of": (about(describe_sql.DEFINITIONS), "All definitions of a symbol"),
        "callers_of": (about(xref_sql.USES_OF["callers"], everything=True), "Who uses a symbol, and where"),
        "callees_of": (
            about(xref_sql.USES_OF["callees"], everything=True),
            "What a symbol's definitions use",
        ),
        "methods_on": (
            about(class_sql.METHODS_ON, everything=True),
            "The methods that specialize on a class",
        ),
        "subclasses_of": (about(class_sql.SUBCLASSES, everything=True), "The direct subclasses of a class"),
        "exported_from": (about(index_sql.EXPORTED_FROM), "The packages that export a symbol"),
        "exports_of": (about(package_sql.PACKAGE_EXPORTS, everything=True), "What a package exports"),
        "users_of": (about(package_sql.PACKAGE_USED_BY), "The packages that use a package"),
        "search": (_words(), "Definitions by words in names, arglists and documentation"),
        "undocumented_exports_by_package": (_UNDOCUMENTED, "How many exports lack documentation"),
    }
    return {
        name: {"sql": text.strip(), "title": title, "params": _parameters(text)}
        for name, (text, title) in found.items()
    }


def _about(statement: str, *, everything: bool = False) -> str:
    """A statement about the numbers of a symbol or package, asked by their names."""
    text = statement.replace(":symbol", _SYMBOL).replace(":operator", "NULL")
    if ":name" not in text:
        text = text.replace(":package", _PACKAGE)
    if everything:
        text = text.replace(":most", "-1").replace(":limit", "-1").replace(":offset", "0")
    return text


def _words() -> str:
    return search_sql.SEARCH_WORDS.replace(":match", _PATTERN).replace(":limit", "200")


def _parameters(statement: str) -> list[str]:
    return [name for name in ("package", "name", "pattern") if f":{name}" in statement]


_UNDOCUMENTED = """
SELECT package, count(DISTINCT symbol) AS undocumented FROM undocumented_exports
GROUP BY package ORDER BY undocumented DESC, package
"""
