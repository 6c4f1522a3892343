"""Every SELECT of export, each with the row that it fills.

They read whole tables, since an export covers everything.
"""

from __future__ import annotations

from typing import NamedTuple

SYSTEMS = "SELECT name, asked, version FROM systems"


class ExportedSystemRow(NamedTuple):
    """One row of SYSTEMS."""

    name: str
    asked: int
    version: str | None


PACKAGES = """
SELECT packages.id, packages.name, packages.documentation, systems.name FROM packages
LEFT JOIN systems ON systems.id = packages.system_id ORDER BY packages.name
"""


class ExportedPackageRow(NamedTuple):
    """One row of PACKAGES."""

    id: int
    name: str
    documentation: str | None
    system: str | None


FILES = """
SELECT source_files.id, source_files.path, source_files.size, systems.name
FROM source_files LEFT JOIN systems ON systems.id = source_files.system_id
WHERE source_files.path IS NOT NULL ORDER BY source_files.path, source_files.id
"""


class ExportedFileRow(NamedTuple):
    """One row of FILES."""

    id: int
    path: str
    size: int | None
    system: str | None


LINES = "SELECT text FROM source_lines WHERE file_id = :file ORDER BY line"

PLACED = """
SELECT definitions.id, definitions.file_id, definitions.symbol_id, coalesce(symbols.name, defined.name),
       coalesce(symbols.package_id, definitions.package_id), coalesce(symbols.exported, 1),
       definitions.kind, kinds.documentation_type, definitions.operator, definitions.qualifiers,
       definitions.specializers, definitions.arglist, definitions.documentation, definitions.start_line,
       definitions.start_column, definitions.end_line, definitions.start_offset, definitions.end_offset
FROM definitions JOIN kinds ON kinds.kind = definitions.kind
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages AS defined ON defined.id = definitions.package_id
WHERE definitions.file_id IS NOT NULL AND definitions.start_line IS NOT NULL
ORDER BY definitions.file_id, definitions.start_line, definitions.start_column, definitions.id
"""


class PlacedRow(NamedTuple):
    """One row of PLACED: a definition whose line is known."""

    id: int
    file: int
    symbol: int | None
    name: str
    package: int | None
    exported: int
    kind: str
    documentation_type: str | None
    operator: str | None
    qualifiers: str | None
    specializers: str | None
    arglist: str | None
    documentation: str | None
    line: int
    column: int | None
    end_line: int | None
    offset: int | None
    end_offset: int | None


_NAMED_IN_TEXT = """
FROM symbol_references AS used
JOIN callers ON callers.id = used.caller_id
JOIN relations ON relations.id = used.relation_id AND relations.relation <> 'defines'
JOIN symbols ON symbols.id = used.callee_id
WHERE used.start_column IS NOT NULL AND callers.file_id IS NOT NULL"""

# The uses that the source text names, with the file of each.
USES = f"""
SELECT callers.file_id, used.line, used.start_column, used.callee_id, used.callee_operator,
       relations.relation, coalesce(used.length, length(symbols.name))
{_NAMED_IN_TEXT}
ORDER BY callers.file_id, used.line, used.start_column, used.relation_id
"""


class ExportedUseRow(NamedTuple):
    """One row of USES."""

    file: int
    line: int
    column: int
    symbol: int
    operator: str | None
    relation: str
    length: int


# The same uses with the name that each uses, and the kind of its first definition, for a tags file.
NAMED_USES = f"""
SELECT DISTINCT callers.file_id, used.line, relations.relation, symbols.name, symbols.package_id,
       symbols.exported, used.callee_operator,
       (SELECT kind FROM definitions WHERE definitions.symbol_id = used.callee_id
        AND definitions.operator IS used.callee_operator ORDER BY definitions.id LIMIT 1)
{_NAMED_IN_TEXT}
ORDER BY callers.file_id, used.line, used.relation_id, symbols.name
"""


class NamedUseRow(NamedTuple):
    """One row of NAMED_USES."""

    file: int
    line: int
    relation: str
    name: str
    package: int | None
    exported: int
    operator: str | None
    kind: str | None


# The definitions of every symbol, with enough to name the symbol where it is used.
MEANINGS = """
SELECT definitions.symbol_id, symbols.name, symbols.package_id, definitions.kind,
       kinds.documentation_type, definitions.operator, systems.name
FROM definitions JOIN kinds ON kinds.kind = definitions.kind
JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN systems ON systems.id = source_files.system_id
WHERE kinds.documentation_type IN ('FUNCTION', 'VARIABLE', 'TYPE') ORDER BY definitions.id
"""


class ExportedMeaningRow(NamedTuple):
    """One row of MEANINGS."""

    symbol: int
    name: str
    package: int | None
    kind: str
    documentation_type: str
    operator: str | None
    system: str | None


EXPORTS = """
SELECT symbols.id, symbols.name FROM presences JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.package_id = :package AND presences.status = 'external' ORDER BY symbols.name
"""
