"""The SELECTs that all questions share, each with the row that it fills: packages, symbols, source files.

The SELECTs of a single question are in a module of their own (questions/describe/sql.py and so on). They
are plain SQL on purpose: it keeps a cold lookup down to tens of milliseconds.
"""

from __future__ import annotations

from typing import NamedTuple

META = "SELECT name, value FROM meta"

ROOTS = "SELECT name, path FROM roots"

# The indexed text of a source file.
SOURCE_TEXT = "SELECT text FROM source_lines WHERE file_id = :file ORDER BY line"

# The source files whose text is known.
SOURCE_FILES = "SELECT id, path, sha256, size FROM source_files WHERE sha256 IS NOT NULL"


class SourceFileRow(NamedTuple):
    """One row of SOURCE_FILES."""

    number: int
    path: str
    sha256: str
    size: int


# Packages are few, and every question needs them: they are read once per build. Names win over nicknames.
PACKAGE_NUMBERS = """
SELECT nickname, package_id FROM package_nicknames UNION ALL SELECT name, id FROM packages
"""

WITH_LOCAL_NICKNAMES = "SELECT DISTINCT package_id FROM package_local_nicknames"

# The definitions of the standard's symbols, of all kinds. A search asks for them again and again.
STANDARD_DEFINITIONS = """
SELECT definitions.id FROM packages CROSS JOIN symbols CROSS JOIN definitions
WHERE packages.name = 'COMMON-LISP' AND symbols.package_id = packages.id AND symbols.exported = 1
  AND definitions.symbol_id = symbols.id
"""

DEFINITIONS_TOTAL = "SELECT count(*) FROM definitions WHERE symbol_id = :symbol"
DEFINITION_NUMBERS = "SELECT id FROM definitions WHERE symbol_id = :symbol"


def few_definitions(most: str) -> str:
    """Select the numbers of definitions that say what a symbol is: all but methods, and the first ``most``.

    A symbol may have thousands of methods. ``most`` is an SQL expression.
    """
    first = f"SELECT * FROM ({DEFINITION_NUMBERS} ORDER BY id LIMIT {most})"
    return f"{DEFINITION_NUMBERS} AND kind <> 'method' UNION {first}"


PACKAGE_BY_LOCAL_NICKNAME = """
SELECT packages.id, packages.name FROM package_local_nicknames
JOIN packages ON packages.id = package_local_nicknames.target_id
WHERE package_local_nicknames.package_id = :package AND nickname = :name
"""

# find-symbol (CLHS 11.1.1.2): present first, then external in a used package. CROSS JOIN keeps
# the order of the tables: first the name, which few symbols share, then where they are present.
FIND_SYMBOL = """
SELECT symbols.id, symbols.name, symbols.package_id, symbols.type, presences.status
FROM symbols CROSS JOIN presences
WHERE symbols.name = :name
  AND presences.symbol_id = symbols.id AND presences.package_id = :package
UNION ALL
SELECT symbols.id, symbols.name, symbols.package_id, symbols.type, 'inherited'
FROM symbols CROSS JOIN presences CROSS JOIN package_uses
WHERE symbols.name = :name
  AND presences.symbol_id = symbols.id AND presences.status = 'external'
  AND package_uses.package_id = :package AND package_uses.used_id = presences.package_id
LIMIT 1
"""


class FoundRow(NamedTuple):
    """One row of FIND_SYMBOL: the symbol with the number of its home package, and its status."""

    number: int
    name: str
    home: int | None
    type: str
    status: str


SYMBOLS_NAMED = """
SELECT symbols.name, packages.name AS package, presences.status
FROM symbols
JOIN presences ON presences.symbol_id = symbols.id
JOIN packages ON packages.id = presences.package_id
WHERE symbols.name = :name AND (symbols.package_id = presences.package_id OR symbols.package_id IS NULL)
ORDER BY presences.status, packages.name
LIMIT :limit
"""


# The symbols of one name but keywords, each with where it comes from: 0 for what was asked for, 1 for what
# was loaded with it, 2 for the rest; those that something defines first, then by origin, exported ones first.
PLAUSIBLE = """
SELECT symbols.id, symbols.name, packages.id, packages.name, presences.status, symbols.type,
       EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id) AS defined,
       CASE WHEN systems.asked THEN 0 WHEN systems.id IS NOT NULL THEN 1 ELSE 2 END AS origin
FROM symbols
JOIN presences ON presences.symbol_id = symbols.id
JOIN packages ON packages.id = presences.package_id AND packages.name <> 'KEYWORD'
LEFT JOIN systems ON systems.id = packages.system_id
WHERE symbols.name = :name AND symbols.package_id = presences.package_id
ORDER BY defined DESC, origin, presences.status, packages.name
LIMIT :limit
"""


class PlausibleRow(NamedTuple):
    """One row of PLAUSIBLE."""

    symbol: int
    name: str
    package: int
    home: str
    status: str
    type: str
    defined: int
    origin: int


class NamedRow(NamedTuple):
    """One row of SYMBOLS_NAMED, NAMES_LIKE, NAMES_OF_PACKAGE, NAMES_SPELT_ALIKE or NAMES_OF_USED."""

    name: str
    package: str
    status: str


def exported_from(symbol: str) -> str:
    """Select the packages that export a symbol; ``symbol`` is an SQL expression for its number."""
    return f"""
SELECT packages.name FROM presences JOIN packages ON packages.id = presences.package_id
WHERE presences.symbol_id = {symbol} AND presences.status = 'external' ORDER BY packages.name
"""


EXPORTED_FROM = exported_from(":symbol")

STATUS = "SELECT status FROM presences WHERE symbol_id = :symbol AND package_id = :package"

ALL_PACKAGES = "SELECT id, name FROM packages"

# The packages of the project and of the systems that were asked for.
OWN_PACKAGES = """
SELECT packages.id FROM packages CROSS JOIN systems ON systems.id = packages.system_id WHERE systems.asked = 1
"""

# The name of a package's system, whether the package is SBCL's own, and the file that defines it.
ORIGIN_OF_PACKAGE = """
SELECT systems.name,
       packages.name IN ('COMMON-LISP', 'KEYWORD', 'COMMON-LISP-USER') OR EXISTS (
           SELECT 1 FROM symbols
           JOIN definitions ON definitions.symbol_id = symbols.id
           JOIN source_files ON source_files.id = definitions.file_id
           JOIN roots ON roots.id = source_files.root_id
           WHERE symbols.package_id = packages.id AND roots.name = 'sbcl'),
       (SELECT source_files.path FROM definitions
        JOIN source_files ON source_files.id = definitions.file_id
        WHERE definitions.symbol_id IS NULL AND definitions.package_id = packages.id LIMIT 1)
FROM packages LEFT JOIN systems ON systems.id = packages.system_id WHERE packages.id = :package
"""


class PackageOriginRow(NamedTuple):
    """One row of ORIGIN_OF_PACKAGE."""

    system: str | None
    from_sbcl: int
    file: str | None


LOAD_FAILURES = """
SELECT subject, part, condition, message, path, line FROM problems WHERE stage = 'load' ORDER BY id
"""


class LoadFailure(NamedTuple):
    """One row of LOAD_FAILURES: a system, file or dependency that did not load, why, and where."""

    subject: str
    part: str
    condition: str
    message: str
    path: str | None
    line: int | None


# Names that share trigrams with a mistyped one, best match first.
NAMES_LIKE = """
SELECT symbols.name, packages.name AS package, presences.status
FROM (SELECT rowid AS symbol FROM symbols_fts WHERE symbols_fts MATCH :phrase ORDER BY rank LIMIT :limit)
CROSS JOIN symbols ON symbols.id = symbol
CROSS JOIN presences ON presences.symbol_id = symbols.id AND presences.package_id = coalesce(
    symbols.package_id, (SELECT min(package_id) FROM presences WHERE symbol_id = symbols.id))
CROSS JOIN packages ON packages.id = presences.package_id
"""

NAMES_WITH_PATTERNS = """
SELECT short_patterns.pattern, short_patterns.total FROM json_each(:patterns) AS listed
CROSS JOIN short_patterns ON short_patterns.pattern = listed.value
"""

# The names present in a package, and those that the packages it uses export, each with its home.
NAMES_OF_PACKAGE = """
SELECT symbols.name, packages.name, presences.status FROM presences
JOIN symbols ON symbols.id = presences.symbol_id JOIN packages ON packages.id = presences.package_id
WHERE presences.package_id = :package AND packages.name <> 'KEYWORD'
  AND (presences.status = 'external' OR symbols.type <> 'SYMBOL')
"""
# Those present in a package that differ in the case of letters alone.
NAMES_SPELT_ALIKE = """
SELECT symbols.name, packages.name, presences.status FROM presences
JOIN symbols ON symbols.id = presences.symbol_id AND symbols.folded = :folded
JOIN packages ON packages.id = presences.package_id
WHERE presences.package_id = :package
"""
NAMES_OF_USED = """
SELECT symbols.name, packages.name, presences.status FROM package_uses
JOIN presences ON presences.package_id = package_uses.used_id AND presences.status = 'external'
JOIN symbols ON symbols.id = presences.symbol_id JOIN packages ON packages.id = presences.package_id
WHERE package_uses.package_id = :package
"""

# Whether a macro was the defining macro of a definition.
DEFINES = """
SELECT 1 FROM used_symbols
JOIN relations ON relations.id = used_symbols.relation_id AND relations.relation = 'macroexpands'
JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
JOIN callers ON callers.id = used.caller_id
JOIN definitions ON definitions.id = callers.definition_id AND definitions.defined_by = :name
WHERE used_symbols.symbol_id = :symbol LIMIT 1
"""

# What a symbol means: its type, and the kinds of its definitions, each once; one row without any for none.
MEANINGS = """
SELECT DISTINCT symbols.type, symbols.exported, definitions.kind, definitions.operator
FROM symbols LEFT JOIN definitions ON definitions.symbol_id = symbols.id WHERE symbols.id = :symbol
"""


class MeaningRow(NamedTuple):
    """One row of MEANINGS."""

    type: str
    exported: int
    kind: str | None
    operator: str | None


SYSTEMS = "SELECT id, name FROM systems"

# How many uses of several runs are by the code of some files.
USES_BY_FILES = """
SELECT count(*) FROM json_each(:runs) AS listed
CROSS JOIN symbol_references AS used ON used.id BETWEEN listed.value ->> 0 AND listed.value ->> 1
CROSS JOIN callers ON callers.id = used.caller_id
WHERE callers.file_id IN (SELECT value FROM json_each(:files))
"""

FILES_OF_SYSTEMS = """
SELECT id FROM source_files WHERE system_id IN (SELECT value FROM json_each(:systems))
"""
