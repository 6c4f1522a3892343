"""Every SELECT that only pages use, each with the row that it fills; and the named queries.

The named queries are the statements of the questions, with names in place of numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from ..index import sql as index_sql
from ..index.relations import BY_CODE
from ..questions.classes import sql as class_sql
from ..questions.describe import sql as describe_sql
from ..questions.package import sql as package_sql
from ..questions.search import sql as search_sql
from ..questions.xref import sql as xref_sql

DESCRIPTIONS = "SELECT table_name, column_name, description FROM descriptions"


class DescriptionRow(NamedTuple):
    """One row of DESCRIPTIONS: the description of a column, or of a table, which has an empty column."""

    table: str
    column: str
    text: str


SOURCE_FILES = """
SELECT source_files.id, roots.name, source_files.relative_path, source_files.recorded, systems.name,
       source_files.path
FROM source_files
LEFT JOIN roots ON roots.id = source_files.root_id
LEFT JOIN systems ON systems.id = source_files.system_id
"""


class ListedFileRow(NamedTuple):
    """One row of SOURCE_FILES."""

    number: int
    root: str | None
    relative_path: str | None
    recorded: str
    system: str | None
    path: str | None


ROOT_PATH = "SELECT path FROM roots WHERE name = :root"
PACKAGE_SYSTEMS = """
SELECT packages.name, systems.name FROM packages JOIN systems ON systems.id = packages.system_id
"""

# Only the first uses are read and counted: popular functions have ten thousand uses.
# Code outside any definition is distinguished by its name and file.
CALLERS = """
SELECT definition_id, code, file_id, min(line), count(*), operator, group_concat(DISTINCT relation)
FROM (SELECT relations.relation, callers.definition_id, callers.name AS code, callers.file_id, used.line,
             used.callee_operator AS operator
      FROM used_symbols JOIN relations ON relations.id = used_symbols.relation_id
      CROSS JOIN symbol_references AS used ON used.id BETWEEN first_id AND last_id
      CROSS JOIN callers ON callers.id = used.caller_id
      WHERE used_symbols.symbol_id = :symbol AND relations.relation <> 'defines'
        -- Methods without a place in the text are those on the page of the class.
        AND (relations.relation <> 'specializes' OR used.start_column IS NOT NULL)
        AND (:operator IS NULL OR used_symbols.operator = :operator)
      ORDER BY used_symbols.relation_id, used_symbols.first_id LIMIT :most)
GROUP BY coalesce(definition_id, coalesce(code, '') || ' ' || coalesce(file_id, '')), operator
"""


class ListedCallerRow(NamedTuple):
    """One row of CALLERS; ``times`` is the number of uses, ``relations`` are the ways, between commas."""

    definition: int | None
    code: str | None
    file: int | None
    line: int | None
    times: int
    operator: str | None
    relations: str


# The same for the callees of a name by code, grouped by the symbol used, with a file that defines the symbol.
CALLEES = f"""
SELECT used.callee_id, used.callee_operator, count(*), min(used.line), used.file_id,
       (SELECT file_id FROM definitions WHERE symbol_id = used.callee_id AND file_id IS NOT NULL LIMIT 1)
FROM (SELECT one.callee_id, one.callee_operator, one.line, callers.file_id
      FROM using_symbols CROSS JOIN json_each(using_symbols.uses) AS listed
      CROSS JOIN symbol_references AS one ON one.id = listed.value
      CROSS JOIN callers ON callers.id = one.caller_id
      WHERE using_symbols.symbol_id = :symbol AND using_symbols.relation_id IN {BY_CODE}
        AND (:operator IS NULL OR using_symbols.operator = :operator)
        AND one.caller_id NOT IN (SELECT value FROM json_each(:companions))
      LIMIT :most) AS used
GROUP BY used.callee_id, used.callee_operator
"""


class CalleeRow(NamedTuple):
    """One row of CALLEES: the place of the first use, and a file that defines the symbol."""

    symbol: int
    operator: str | None
    times: int
    line: int | None
    file: int | None
    defined_in: int | None


INTERNAL_TOTAL = "SELECT count(*) FROM presences WHERE package_id = :package AND status = 'internal'"
INTERNAL = """
SELECT symbols.name, symbols.type, coalesce(packages.name, ''),
       (SELECT arglist FROM definitions WHERE definitions.symbol_id = symbols.id AND operator IS NULL
        AND kind IN ('function', 'macro', 'generic-function', 'special-operator') LIMIT 1)
FROM presences CROSS JOIN symbols ON symbols.id = presences.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
WHERE presences.package_id = :package AND presences.status = 'internal'
ORDER BY symbols.name LIMIT :limit OFFSET :offset
"""


class InternalRow(NamedTuple):
    """One row of INTERNAL."""

    name: str
    type: str
    home: str
    arglist: str | None


PACKAGES = """
SELECT packages.name, systems.name, packages.documentation,
       (SELECT count(*) FROM presences
        WHERE presences.package_id = packages.id AND presences.status = 'external')
FROM packages LEFT JOIN systems ON systems.id = packages.system_id ORDER BY packages.name
"""


class ListedPackageRow(NamedTuple):
    """One row of PACKAGES."""

    name: str
    system: str | None
    documentation: str | None
    exports: int


ALL_PACKAGE_USES = "SELECT package_id, used_id FROM package_uses"
NAMED_PACKAGE_USES = """
SELECT packages.name, used.name FROM package_uses
JOIN packages ON packages.id = package_uses.package_id
JOIN packages AS used ON used.id = package_uses.used_id ORDER BY packages.name, package_uses.position
"""

SYSTEMS = """
SELECT id, name, version, description, asked,
       (SELECT count(*) FROM packages WHERE packages.system_id = systems.id), definition_path
FROM systems ORDER BY name
"""


class ListedSystemRow(NamedTuple):
    """One row of SYSTEMS."""

    number: int
    name: str
    version: str | None
    description: str | None
    asked: int
    packages: int
    definition_path: str | None


SYSTEM = """
SELECT id, name, asked, version, licence, author, description, definition_path FROM systems
WHERE name = :name
"""


class SystemFactsRow(NamedTuple):
    """One row of SYSTEM."""

    number: int
    name: str
    asked: int
    version: str | None
    licence: str | None
    author: str | None
    description: str | None
    definition_path: str | None


SYSTEM_DEPENDENCIES = """
SELECT system_dependencies.name, system_dependencies.relation, systems.name
FROM system_dependencies LEFT JOIN systems ON systems.id = system_dependencies.target_id
WHERE system_dependencies.system_id = :system ORDER BY system_dependencies.position
"""


class SystemDependencyRow(NamedTuple):
    """One row of SYSTEM_DEPENDENCIES; ``target`` is the name of the system if it is in the index."""

    name: str
    relation: str
    target: str | None


SYSTEM_DEPENDENTS = """
SELECT DISTINCT systems.name FROM system_dependencies
JOIN systems ON systems.id = system_dependencies.system_id
WHERE system_dependencies.target_id = :system ORDER BY systems.name
"""
ALL_SYSTEM_DEPENDENCIES = """
SELECT system_id, target_id FROM system_dependencies WHERE target_id IS NOT NULL
"""
# The signature of a function.
SIGNATURE = """
SELECT definitions.arglist, signatures.argument_types, signatures.result_types
FROM definitions JOIN signatures ON signatures.id = definitions.id
WHERE definitions.symbol_id = :symbol AND definitions.operator IS :operator
"""


class SignatureRow(NamedTuple):
    """One row of SIGNATURE."""

    arglist: str | None
    argument_types: str | None
    result_types: str | None


# The symbols that a file defines: exported ones first, in the order of the file.
SYMBOLS_OF_FILE = """
SELECT symbols.id FROM definitions CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions.file_id = :file AND definitions.start_line IS NOT NULL AND definitions.kind <> 'method'
GROUP BY symbols.id ORDER BY symbols.exported DESC, min(definitions.start_line) LIMIT :limit
"""
SYSTEM_PACKAGES = "SELECT name FROM packages WHERE system_id = :system ORDER BY name"

UNDOCUMENTED = """
SELECT package, count(DISTINCT symbol) FROM undocumented_exports GROUP BY package
"""
LINES = "SELECT text FROM source_lines WHERE file_id = :file ORDER BY line"
LINES_BETWEEN = """
SELECT text FROM source_lines WHERE file_id = :file AND line >= :first AND line < :end ORDER BY line
"""
# Lines that begin with a parenthesis, as most toplevel forms do: those above a line, and the next below.
MARGINS_ABOVE = """
SELECT line FROM source_lines WHERE file_id = :file AND line <= :line AND text LIKE '(%'
ORDER BY line DESC LIMIT 5
"""
MARGIN_BELOW = """
SELECT line FROM source_lines WHERE file_id = :file AND line > :line AND text LIKE '(%' ORDER BY line LIMIT 1
"""
# The definitions of symbols other than methods, in the order of their pages; ``before`` counts the
# definitions above each, up to the number of those that a page shows.
NAMESPACES = """
SELECT definitions.symbol_id, definitions.kind, definitions.operator, kinds.documentation_type,
       (SELECT count(*) FROM (SELECT 1 FROM definitions AS above
                              WHERE above.symbol_id = definitions.symbol_id AND above.id < definitions.id
                              LIMIT 20))
FROM json_each(:symbols) AS listed
CROSS JOIN definitions ON definitions.symbol_id = listed.value
CROSS JOIN kinds ON kinds.kind = definitions.kind
WHERE definitions.kind <> 'method'
ORDER BY definitions.symbol_id, definitions.id
"""


class NamespaceRow(NamedTuple):
    """One row of NAMESPACES; ``type`` is the documentation type, which tells the namespace."""

    symbol: int
    kind: str
    operator: str | None
    type: str | None
    before: int


DEFINITIONS_IN_FILE = """
SELECT definitions.symbol_id, definitions.operator, definitions.kind, definitions.qualifiers,
       definitions.specializers, definitions.start_line
FROM definitions
WHERE definitions.file_id = :file AND definitions.start_line IS NOT NULL
  AND definitions.symbol_id IS NOT NULL
ORDER BY definitions.start_line, definitions.id
"""


class DefinitionInFileRow(NamedTuple):
    """One row of DEFINITIONS_IN_FILE."""

    symbol: int
    operator: str | None
    kind: str
    qualifiers: str | None
    specializers: str | None
    line: int


FILE_PATH = "SELECT path FROM source_files WHERE id = :file"

# The direct superclasses and subclasses of a class, by the numbers of the symbols that name them.
SUPERCLASSES_OF = """
SELECT class_superclasses.symbol_id FROM definitions
JOIN class_superclasses ON class_superclasses.class_id = definitions.id
WHERE definitions.symbol_id = :symbol ORDER BY class_superclasses.position
"""
SUBCLASSES_OF = """
SELECT DISTINCT definitions.symbol_id FROM class_superclasses
JOIN definitions ON definitions.id = class_superclasses.class_id
WHERE class_superclasses.symbol_id = :symbol ORDER BY definitions.symbol_id
"""

# The numbers that the questions' statements take, looked up by the names that the named queries take.
_PACKAGE = "(SELECT id FROM packages WHERE name = upper(:package) OR name = :package LIMIT 1)"
_SYMBOL = f"""(SELECT id FROM symbols
   WHERE package_id = {_PACKAGE} AND name IN (upper(:name), :name) ORDER BY name = :name LIMIT 1)"""
_PATTERN = """'"' || replace(lower(:pattern), '"', '""') || '"'"""
_EVERYTHING, _FROM_THE_FIRST = "-1", "0"


class NamedQuery(NamedTuple):
    """A statement with a name and a title; ``parameters`` are the names of its parameters."""

    name: str
    statement: str
    title: str
    parameters: tuple[str, ...] = ("package", "name")


NAMED_QUERIES = (
    NamedQuery("definitions_of", describe_sql.definitions_of(_SYMBOL), "All definitions of a symbol"),
    NamedQuery("callers_of", xref_sql.callers_of(_SYMBOL, "NULL", _EVERYTHING), "The callers of a symbol"),
    NamedQuery(
        "callees_of",
        xref_sql.callees_of(_SYMBOL, "NULL", _EVERYTHING),
        "The callees of a symbol, of all that defines it",
    ),
    NamedQuery(
        "methods_on",
        class_sql.methods_on(_SYMBOL, _EVERYTHING, _FROM_THE_FIRST),
        "The methods that specialize on a class",
    ),
    NamedQuery(
        "subclasses_of",
        class_sql.subclasses_of(_SYMBOL, _EVERYTHING, _FROM_THE_FIRST),
        "The direct subclasses of a class",
    ),
    NamedQuery("exported_from", index_sql.exported_from(_SYMBOL), "The packages that export a symbol"),
    NamedQuery(
        "exports_of",
        package_sql.exports_of(_PACKAGE, _EVERYTHING, _FROM_THE_FIRST),
        "The exports of a package",
        ("package",),
    ),
    NamedQuery("users_of", package_sql.users_of(_PACKAGE), "The packages that use a package", ("package",)),
    NamedQuery(
        "search",
        search_sql.search_words(_PATTERN, "200"),
        "Definitions by words in names, arglists and documentation",
        ("pattern",),
    ),
    NamedQuery(
        "undocumented_exports_by_package",
        """
SELECT package, count(DISTINCT symbol) AS undocumented FROM undocumented_exports
GROUP BY package ORDER BY undocumented DESC, package
""",
        "The number of undocumented exports of each package",
        (),
    ),
)
