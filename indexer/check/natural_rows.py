"""The rows of an index by names instead of numbers, which differ from build to build."""

from __future__ import annotations

# The rows of each table by natural keys: two indexes of one image must agree on them.
_SYMBOL = """(SELECT coalesce(packages.name, '') || '::' || symbols.name FROM symbols
              LEFT JOIN packages ON packages.id = symbols.package_id WHERE symbols.id = {})"""
_PACKAGE = "(SELECT packages.name FROM packages WHERE packages.id = {})"
_SYSTEM = "(SELECT systems.name FROM systems WHERE systems.id = {})"
_ROOT = "(SELECT roots.name FROM roots WHERE roots.id = {})"
_FILE = "(SELECT source_files.recorded FROM source_files WHERE source_files.id = {})"


def _natural(table: str, *columns: str) -> str:
    order = ", ".join(str(place) for place in range(1, len(columns) + 1))
    return f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"


_CLASS_TABLE = "{0} JOIN definitions ON definitions.id = {0}.class_id"
_CLASS_NAME = _SYMBOL.format("definitions.symbol_id")

_CALLER = """(SELECT definitions.kind || ' ' || coalesce(definitions.operator, '') || ' '
                || coalesce(packages.name, '') || '::' || coalesce(symbols.name, '') || ' '
                || coalesce(definitions.qualifiers, '') || coalesce(definitions.specializers, '')
              FROM definitions LEFT JOIN symbols ON symbols.id = definitions.symbol_id
              LEFT JOIN packages ON packages.id = symbols.package_id
              WHERE definitions.id = callers.definition_id)"""
# The number of each symbol and caller in its index, and what it is to another index.
SYMBOLS = f"SELECT id, {_SYMBOL.format('numbered.id')} FROM symbols AS numbered"
CALLERS = f"SELECT id, {_CALLER}, name, {_FILE.format('callers.file_id')}, toplevel_form FROM callers"

NATURAL_ROWS = {
    "kinds": _natural("kinds", "kind", "documentation_type", "description"),
    "systems": _natural(
        "systems", "name", "asked", "version", "licence", "author", "description", "definition_path"
    ),
    "system_dependencies": _natural(
        "system_dependencies", _SYSTEM.format("system_id"), "position", "relation", "name"
    ),
    "components": _natural("components", "system", "path", "state", "feature"),
    "roots": _natural("roots", "name", "path", _SYSTEM.format("system_id")),
    "packages": _natural("packages", "name", "documentation", "locked", _SYSTEM.format("system_id")),
    "package_nicknames": _natural("package_nicknames", "nickname", _PACKAGE.format("package_id")),
    "package_local_nicknames": _natural(
        "package_local_nicknames",
        _PACKAGE.format("package_id"),
        "nickname",
        _PACKAGE.format("target_id"),
    ),
    "package_uses": _natural(
        "package_uses", _PACKAGE.format("package_id"), "position", _PACKAGE.format("used_id")
    ),
    "package_shadowing": _natural(
        "package_shadowing", _PACKAGE.format("package_id"), _SYMBOL.format("symbol_id")
    ),
    "symbols": _natural(
        "symbols", "name", _PACKAGE.format("package_id"), "folded", "type", "exported", "search_rank"
    ),
    "short_patterns": _natural("short_patterns", "pattern", "total"),
    "presences": _natural("presences", _PACKAGE.format("package_id"), _SYMBOL.format("symbol_id"), "status"),
    "source_files": _natural(
        "source_files",
        *("recorded", "path", "sha256", "size", "relative_path"),
        _ROOT.format("root_id"),
        _SYSTEM.format("system_id"),
    ),
    "definitions": _natural(
        "definitions",
        _SYMBOL.format("symbol_id"),
        _PACKAGE.format("package_id"),
        *(["kind", "operator", "qualifiers", "specializers", "arglist", "ftype", "documentation", "value"]),
        *(["deprecated", "deprecated_since", "replacement"]),
        _FILE.format("file_id"),
        *(["toplevel_form", "form_number", "toplevel_offset", "words", "callers_count"]),
    ),
    "signatures": _natural(
        "signatures JOIN definitions ON definitions.id = signatures.id",
        *(_SYMBOL.format("symbol_id"), "kind", "operator"),
        *("argument_types", "result_types", "least_arguments", "most_arguments"),
    ),
    "classes": _natural(
        _CLASS_TABLE.format("classes"),
        *(_CLASS_NAME, _SYMBOL.format("metaclass_id"), "finalized", "representation", "accessor_prefix"),
    ),
    "class_superclasses": _natural(
        _CLASS_TABLE.format("class_superclasses"),
        *(_CLASS_NAME, "position", _SYMBOL.format("class_superclasses.symbol_id")),
    ),
    "class_precedence": _natural(
        _CLASS_TABLE.format("class_precedence"),
        *(_CLASS_NAME, "position", _SYMBOL.format("class_precedence.symbol_id")),
    ),
    "slots": _natural(
        _CLASS_TABLE.format("slots"),
        *(_CLASS_NAME, "position", "name", _SYMBOL.format("slots.symbol_id"), "type", "allocation"),
        *("initform", "slots.documentation", "read_only", "initargs"),
    ),
    "slot_accessors": _natural(
        _CLASS_TABLE.format("slot_accessors"),
        *(_CLASS_NAME, "slot", "position", "role"),
        *(_SYMBOL.format("slot_accessors.symbol_id"), "slot_accessors.operator"),
    ),
    "default_initargs": _natural(
        _CLASS_TABLE.format("default_initargs"), _CLASS_NAME, "position", "initarg", "form"
    ),
    "structure_functions": _natural(
        _CLASS_TABLE.format("structure_functions"),
        *(_CLASS_NAME, "position", "role", "by_position", _SYMBOL.format("structure_functions.symbol_id")),
    ),
    "method_specializers": _natural(
        "method_specializers JOIN definitions ON definitions.id = definition_id",
        *(_SYMBOL.format("definitions.symbol_id"), "operator", "qualifiers", "specializers", "position"),
        *(_SYMBOL.format("method_specializers.symbol_id"), "eql", _SYMBOL.format("eql_class_id")),
    ),
    "source_lines": _natural("source_lines", _FILE.format("file_id"), "line", "text"),
    "documentation": _natural("documentation", _SYMBOL.format("symbol_id"), "type", "text"),
    "symbol_references": _natural(
        """symbol_references JOIN callers ON callers.id = symbol_references.caller_id
           JOIN relations ON relations.id = symbol_references.relation_id""",
        "relation",
        _SYMBOL.format("callee_id"),
        "callee_operator",
        _CALLER,
        "callers.name",
        _FILE.format("callers.file_id"),
        "callers.toplevel_form",
        "form_number",
        "line",
        "start_column",
        "length",
        "(SELECT relation FROM relations AS told WHERE told.id = text_relation_id)",
        "(SELECT name FROM expansions WHERE expansions.id = symbol_references.expansion_id)",
    ),
    "unread_text": _natural("unread_text", _FILE.format("file_id"), "line", "end_line"),
    "problems": _natural("problems", "stage", "subject", "part", "condition", "message", "path", "line"),
}
