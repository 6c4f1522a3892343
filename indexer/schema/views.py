"""The views of an index: the most frequent questions, with names where the tables have numbers."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

import sqlite_utils

from ..own_schema import creating
from ..search_rank import OF_RANK

# Columns with the same name mean the same in all views.
_COLUMNS = {
    "id": "Number of the symbol within this index",
    "symbol_id": "Number of the symbol within this index",
    "package_id": "Home package of the symbol",
    "name": "Exact name of the symbol",
    "search_id": "Row number in exported_names_fts, where symbols that rank higher have lower numbers",
    "folded": "Name, case-folded as in CHAR-EQUAL",
    "type": "Type of the symbol, as in symbols.type",
    "package": "Name of the package",
    "symbol": "Exact name of the symbol",
    "system": "System to which the package belongs; empty for SBCL's own packages",
    "kind": "Kind of the definition, as in kinds.kind",
    "slots": "Number of slots that the class itself defines",
    "subclasses": "Number of direct subclasses of the class",
    "callers": "Number of definitions that use the symbol as a function or macro",
    "relation": "How the symbol is used, as in relations.relation",
    "callee": "Exact name of the symbol that is used",
    "callee_operator": "SETF or CAS if (setf callee) or (cas callee) is used",
    "caller": "Exact name of the symbol that the using code defines, or else SBCL's name for the code",
    "caller_kind": "Kind of the using definition",
    "file": "Source file of the using code, as SBCL records it",
    "toplevel_form": "Number of the toplevel form that contains the use, from 0",
    "form_number": "Number of the using form within the toplevel form, as the compiler counts; empty for a "
    "use that only the text shows",
}


class IndexView(NamedTuple):
    """A view: its name, its description, and its statement."""

    name: str
    comment: str
    columns: tuple[str, ...]
    statement: str

    def descriptions(self) -> list[tuple[str, str, str]]:
        """The view's rows of the table ``descriptions``."""
        return [(self.name, "", self.comment)] + [(self.name, one, _COLUMNS[one]) for one in self.columns]


VIEWS = (
    IndexView(
        "exported_names",
        "All exported symbols, each listed once; the contents of exported_names_fts",
        ("id", "name", "folded", "package_id", "type", "search_id"),
        f"""
SELECT id, name, folded, package_id, type, {OF_RANK.format(rank="search_rank")} AS search_id
FROM symbols WHERE exported""",
    ),
    IndexView(
        "exported_symbols",
        "The exported symbols of each package",
        ("package", "symbol", "type", "symbol_id"),
        """
SELECT packages.name AS package, symbols.name AS symbol, symbols.type AS type, symbols.id AS symbol_id
FROM presences
JOIN packages ON packages.id = presences.package_id
JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.status = 'external'""",
    ),
    IndexView(
        "named_references",
        "All uses of symbols, with their locations",
        (
            "relation",
            "callee",
            "callee_operator",
            "caller",
            "caller_kind",
            "file",
            "toplevel_form",
            "form_number",
        ),
        """
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
    ),
    IndexView(
        "undocumented_exports",
        "Exported definitions that could have documentation but do not, except keywords",
        ("package", "symbol", "kind"),
        """
SELECT exported_symbols.package, exported_symbols.symbol, definitions.kind
FROM exported_symbols
JOIN definitions ON definitions.symbol_id = exported_symbols.symbol_id
JOIN kinds ON kinds.kind = definitions.kind
WHERE kinds.documentation_type IS NOT NULL AND definitions.documentation IS NULL
  AND exported_symbols.package <> 'KEYWORD'""",
    ),
    IndexView(
        "unused_internals",
        "Functions and macros that are not exported and have no recorded use, except those that a "
        "structure defines; empty if uses were not recorded",
        ("package", "symbol", "kind", "system"),
        """
SELECT packages.name AS package, symbols.name AS symbol, definitions.kind, systems.name AS system
FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
JOIN packages ON packages.id = symbols.package_id
LEFT JOIN systems ON systems.id = packages.system_id
WHERE definitions.kind IN ('function', 'macro') AND definitions.defined_by IS NOT 'defstruct'
  AND NOT symbols.exported
  AND NOT EXISTS (SELECT 1 FROM meta WHERE name = 'left_out' AND instr(value, '"references"'))
  AND NOT EXISTS (SELECT 1 FROM used_symbols JOIN relations ON relations.id = relation_id
                  WHERE symbol_id = symbols.id
                    AND relation NOT IN ('defines', 'declares', 'exports', 'imports'))""",
    ),
    IndexView(
        "biggest_classes",
        "Classes, structures and conditions, sorted by the number of their own slots, largest first",
        ("package", "symbol", "kind", "slots", "subclasses"),
        """
SELECT packages.name AS package, symbols.name AS symbol, definitions.kind,
       (SELECT count(*) FROM slots WHERE slots.class_id = definitions.id) AS slots,
       (SELECT count(*) FROM class_superclasses
        WHERE class_superclasses.symbol_id = definitions.symbol_id) AS subclasses
FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
WHERE definitions.kind IN ('class', 'structure', 'condition')
ORDER BY slots DESC, symbols.name""",
    ),
    IndexView(
        "most_called",
        "Definitions with at least one use, most used first",
        ("package", "symbol", "kind", "callers"),
        """
SELECT packages.name AS package, symbols.name AS symbol, definitions.kind,
       definitions.callers_count AS callers
FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
WHERE definitions.callers_count > 0
ORDER BY definitions.callers_count DESC, symbols.name""",
    ),
)


def write_views(connection: sqlite3.Connection, kind: str) -> None:
    """Create the views of ``VIEWS`` in an "index" or a "catalog"."""
    database = sqlite_utils.Database(connection)
    for view in VIEWS:
        # Not by create_view: what it quotes, and how, differs from version to version.
        database.execute(creating(kind, view.name))
