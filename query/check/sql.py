"""Every SELECT of check, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

from ..index.relations import CALLING

PACKAGES = "SELECT id, name FROM packages"
NICKNAMES = "SELECT nickname, package_id FROM package_nicknames"
LOCAL_NICKNAMES = "SELECT package_id, nickname, target_id FROM package_local_nicknames"
USES = "SELECT package_id, used_id FROM package_uses ORDER BY package_id, position"

# The symbols present in one package; queried once for each package that a text names or is in.
PRESENT = """
SELECT symbols.name, symbols.id, symbols.package_id, presences.status = 'external'
FROM presences CROSS JOIN symbols
WHERE presences.package_id = :package AND symbols.id = presences.symbol_id
"""


class PresentRow(NamedTuple):
    """One row of PRESENT; ``home`` is the number of the home package."""

    name: str
    symbol: int
    home: int | None
    external: int


class LocalNicknameRow(NamedTuple):
    """One row of LOCAL_NICKNAMES."""

    package: int
    nickname: str
    target: int


# With methods: a generic function also accepts the keywords of its methods (CLHS 7.6.5).
DEFINITIONS = """
SELECT id, kind, operator, arglist, deprecated, deprecated_since, replacement
FROM definitions WHERE symbol_id = :symbol ORDER BY id
"""


class KnownDefinitionRow(NamedTuple):
    """One row of DEFINITIONS."""

    definition: int
    kind: str
    operator: str | None
    arglist: str | None
    deprecated: str | None
    deprecated_since: str | None
    replacement: str | None


# What the file at a path defined when it was indexed.
DEFINED_IN = """
SELECT definitions.id, symbol_id, definitions.package_id, coalesce(symbols.name, packages.name),
       kind, operator, start_line, start_column
FROM definitions
LEFT JOIN symbols ON symbols.id = symbol_id
LEFT JOIN packages ON packages.id = definitions.package_id
WHERE file_id = (SELECT id FROM source_files WHERE path = :path)
"""


class DefinedInFileRow(NamedTuple):
    """One row of DEFINED_IN; ``name`` is that of the symbol or package."""

    definition: int
    symbol: int | None
    package: int | None
    name: str
    kind: str
    operator: str | None
    line: int | None
    column: int | None


# Whether the compiler expanded a macro of this name, which need not be in the image any more.
EXPANDED = """
SELECT 1 FROM used_symbols JOIN relations ON relations.id = used_symbols.relation_id
WHERE used_symbols.symbol_id = :symbol AND relations.relation = 'macroexpands' LIMIT 1
"""

# The packages that export a symbol of this name, for a suggestion.
EXPORTERS = """
SELECT packages.name FROM symbols
JOIN presences ON presences.symbol_id = symbols.id AND presences.status = 'external'
JOIN packages ON packages.id = presences.package_id
WHERE symbols.name = :name AND packages.name <> 'KEYWORD' ORDER BY packages.name LIMIT :limit
"""

# The home packages of the symbols of this name that any package exports.
EXPORTED_HOMES = """
SELECT DISTINCT packages.name FROM symbols
JOIN presences ON presences.symbol_id = symbols.id AND presences.status = 'external'
LEFT JOIN packages ON packages.id = symbols.package_id
WHERE symbols.name = :name
"""

# The folders of sources, inner ones first. Files of a project, or of a system that was asked for, are judged
# if something loads them.
FOLDERS = """
SELECT roots.path, roots.system_id IS NULL OR systems.asked
FROM roots LEFT JOIN systems ON systems.id = roots.system_id
WHERE roots.name <> 'sbcl' ORDER BY length(roots.path) DESC
"""


class FolderRow(NamedTuple):
    """One row of FOLDERS."""

    path: str
    asked: int


COMPONENTS = "SELECT system, path, state, feature FROM components"


class ComponentRow(NamedTuple):
    """One row of COMPONENTS."""

    system: str
    path: str
    state: str
    feature: str | None


LOADED_FILES = "SELECT path FROM source_files WHERE path IS NOT NULL AND sha256 IS NOT NULL"
DIGEST = "SELECT sha256 FROM source_files WHERE path = :path"
SYSTEM_NAMES = "SELECT name FROM systems"

# The calls and expansions that the compiler recorded in some files: each with the number of its form within
# the toplevel form.
RECORDED_CALLS = f"""
SELECT source_files.path, callers.toplevel_form, used.form_number, symbols.name
FROM symbol_references AS used
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_files ON source_files.id = callers.file_id
CROSS JOIN symbols ON symbols.id = used.callee_id
WHERE used.relation_id IN {CALLING}
  AND used.form_number IS NOT NULL AND used.start_column IS NOT NULL
  AND callers.file_id IN (SELECT id FROM source_files WHERE path IN (SELECT value FROM json_each(:paths)))
"""


class CallRow(NamedTuple):
    """One row of RECORDED_CALLS."""

    path: str
    toplevel_form: int
    form: int
    name: str


# The same of what defines one symbol, by the files and toplevel forms of its definitions.
CALLS_OF_SYMBOL = f"""
SELECT callers.file_id, callers.toplevel_form, used.form_number, symbols.name
FROM using_symbols CROSS JOIN json_each(using_symbols.uses) AS listed
CROSS JOIN symbol_references AS used ON used.id = listed.value
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN symbols ON symbols.id = used.callee_id
WHERE using_symbols.symbol_id = :symbol AND using_symbols.relation_id IN {CALLING}
  AND used.form_number IS NOT NULL AND used.start_column IS NOT NULL
  AND callers.file_id IS NOT NULL AND callers.toplevel_form IS NOT NULL
"""


class CallOfSymbolRow(NamedTuple):
    """One row of CALLS_OF_SYMBOL."""

    file: int
    toplevel_form: int
    form: int
    name: str


# The uses of some symbols whose places in the text are known.
USES_OF_SYMBOLS = """
SELECT DISTINCT used.id, source_files.path, packages.name, symbols.name, relations.relation,
       used.callee_id, used.callee_operator, used.line, used.start_column, used.length
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_files ON source_files.id = callers.file_id
CROSS JOIN symbols ON symbols.id = used.callee_id
CROSS JOIN packages ON packages.id = symbols.package_id
CROSS JOIN relations ON relations.id = used.relation_id
WHERE used.start_column IS NOT NULL ORDER BY used.id
"""


class UseOfSymbolRow(NamedTuple):
    """One row of USES_OF_SYMBOLS; ``length`` is empty if it is that of the name."""

    use: int
    path: str
    package: str
    name: str
    relation: str
    symbol: int
    operator: str | None
    line: int
    column: int
    length: int | None


# The toplevel forms that define one symbol, each with its first line.
DEFINITION_EXTENTS = """
SELECT DISTINCT symbol_id, definitions.file_id, toplevel_form, start_line, start_column, end_line,
       source_lines.text
FROM definitions
JOIN source_lines ON source_lines.file_id = definitions.file_id AND source_lines.line = start_line
WHERE symbol_id = :symbol AND form_number = 0 AND toplevel_form IS NOT NULL AND end_line IS NOT NULL
ORDER BY definitions.file_id, start_line LIMIT :most
"""
# The same for definitions made by uses of a macro at the margin, as far as they are among the first and their
# first lines are known.
EXTENTS_MADE = """
SELECT DISTINCT made.symbol_id, made.file_id, made.toplevel_form, made.start_line, made.start_column,
       made.end_line, source_lines.text
FROM used_symbols
CROSS JOIN symbol_references AS used
  ON used.id BETWEEN first_id AND min(last_id, first_id + :uses) AND used.start_column = 2
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_lines ON source_lines.file_id = callers.file_id AND source_lines.line = used.line
CROSS JOIN definitions AS made
  ON made.file_id = callers.file_id AND made.start_line = used.line AND made.form_number = 0
WHERE used_symbols.symbol_id = :maker AND source_lines.text = :first
  AND made.toplevel_form IS NOT NULL AND made.end_line IS NOT NULL
LIMIT :most
"""


class ExtentRow(NamedTuple):
    """One row of DEFINITION_EXTENTS or EXTENTS_MADE."""

    symbol: int
    file: int
    toplevel_form: int
    start_line: int
    start_column: int
    end_line: int
    first_line: str


SOME_LINES = """
SELECT text FROM source_lines WHERE file_id = :file AND line BETWEEN :first AND :last ORDER BY line
"""

LINES = """
SELECT text FROM source_lines JOIN source_files ON source_files.id = file_id
WHERE path = :path ORDER BY line
"""

# The lines of the definition of a macro, from the beginning of its form on.
MACRO_TEXT = """
SELECT CASE source_lines.line WHEN start_line THEN substr(text, start_column) ELSE text END
FROM definitions
JOIN source_lines ON source_lines.file_id = definitions.file_id AND line BETWEEN start_line AND end_line
WHERE definitions.symbol_id = :symbol AND kind = 'macro' AND operator IS NULL
ORDER BY line LIMIT :most
"""

CLASS = """
SELECT classes.class_id, metaclasses.name FROM definitions
JOIN classes ON classes.class_id = definitions.id
LEFT JOIN symbols AS metaclasses ON metaclasses.id = classes.metaclass_id
WHERE definitions.symbol_id = :symbol
"""


class KnownClassRow(NamedTuple):
    """One row of CLASS."""

    definition: int
    metaclass: str | None


SUPERCLASSES = "SELECT symbol_id FROM class_superclasses WHERE class_id = :class_"
INITARGS = """
SELECT slots.initargs FROM definitions JOIN slots ON slots.class_id = definitions.id
WHERE definitions.symbol_id IN (SELECT value FROM json_each(:symbols)) AND slots.initargs IS NOT NULL
"""
# The methods that initialize instances of some classes, and those for one class alone, which EQL names.
INITIALIZING_METHODS = """
SELECT definitions.arglist, method_specializers.eql FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
JOIN packages ON packages.id = symbols.package_id AND packages.name = 'COMMON-LISP'
JOIN method_specializers ON method_specializers.definition_id = definitions.id
WHERE symbols.name IN (SELECT value FROM json_each(:names)) AND definitions.kind = 'method'
  AND method_specializers.position = 0
  AND (method_specializers.symbol_id IN (SELECT value FROM json_each(:symbols))
       OR method_specializers.symbol_id IS NULL)
"""
