"""The tables of an index, defined once.

An index is one SQLite file. It is written in this order: meta (without ``complete``), kinds,
packages, symbols, presences, source_files, source_lines, documentation, relations, callers,
expansions, symbol_references, problems, definitions (which carry the count of their callers);
then indexes, full text, views; the row ``complete`` of meta last.
No published index is ever written to: a build goes into a new file that replaces the old one.

One worked row of each of the tables that matter most:

    packages           id 4, name COMMON-LISP
    symbols            id 15993, name MAPCAR, package_id 4, folded mapcar, type FUNCTION, exported 1
    presences          package_id 4, symbol_id 15993, status external
    definitions        id 14116, symbol_id 15993, kind function, arglist (FUNCTION LIST &REST MORE-LISTS)
    symbol_references  relation_id 1 (calls), callee_id 15993, caller_id 87, form_number 22
    callers            id 87, definition_id 211, file_id 12, toplevel_form 40

What is accessible in a package is not stored: it is what is present, and the external symbols
of the packages it uses whose names are not present (CLHS 11.1.1.2).

Version rule: see format.py. Any change to a table here that old readers would misread raises
FORMAT; an addition raises FEATURE.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)

metadata = MetaData()


def _column(
    name: str,
    kind: type[Integer] | type[Text],
    comment: str,
    *keys: ForeignKey,
    nullable: bool = True,
    primary_key: bool = False,
    unique: bool = False,
) -> Column[object]:
    return Column(
        name,
        kind,
        *keys,
        comment=comment,
        nullable=nullable and not primary_key,
        primary_key=primary_key,
        unique=unique or None,
    )


def _id(what: str) -> Column[object]:
    return _column("id", Integer, f"Number of the {what} within this index", primary_key=True)


def _link(name: str, target: str, comment: str, *, nullable: bool = False) -> Column[object]:
    return _column(name, Integer, comment, ForeignKey(f"{target}.id"), nullable=nullable)


meta = Table(
    "meta",
    metadata,
    _column("name", Text, "Name of the fact", primary_key=True),
    _column("value", Text, "The fact"),
    comment="Facts about the index as a whole: versions, when and from what it was built",
)

kinds = Table(
    "kinds",
    metadata,
    _column("kind", Text, "Kind of definition, as in definitions.kind", primary_key=True),
    _column("documentation_type", Text, "Documentation type it carries (CLHS documentation), if any"),
    _column("description", Text, "What such a definition is"),
    comment="The kinds of definitions that the indexed SBCL knows",
)

packages = Table(
    "packages",
    metadata,
    _id("package"),
    _column("name", Text, "Name", nullable=False, unique=True),
    _column("documentation", Text, "Documentation string"),
    _column("locked", Integer, "1 when the package is locked", nullable=False),
    comment="Packages",
)

package_nicknames = Table(
    "package_nicknames",
    metadata,
    _column("nickname", Text, "Nickname, valid everywhere", primary_key=True),
    _link("package_id", "packages", "The package it stands for"),
    comment="Global nicknames of packages",
)

package_local_nicknames = Table(
    "package_local_nicknames",
    metadata,
    _link("package_id", "packages", "The package in which the nickname is valid"),
    _column("nickname", Text, "Nickname", nullable=False),
    _link("target_id", "packages", "The package it stands for"),
    PrimaryKeyConstraint("package_id", "nickname"),
    comment="Package-local nicknames",
)

package_uses = Table(
    "package_uses",
    metadata,
    _link("package_id", "packages", "The package that uses"),
    _column("position", Integer, "Place in the use list, from 0", nullable=False),
    _link("used_id", "packages", "The package that is used"),
    PrimaryKeyConstraint("package_id", "used_id"),
    comment="Use lists: whose external symbols a package inherits",
)

package_shadowing = Table(
    "package_shadowing",
    metadata,
    _link("package_id", "packages", "The package"),
    _link("symbol_id", "symbols", "A symbol on its shadowing list"),
    PrimaryKeyConstraint("package_id", "symbol_id"),
    comment="Shadowing symbols of packages",
)

symbols = Table(
    "symbols",
    metadata,
    _id("symbol"),
    _column("name", Text, "Exact name", nullable=False),
    _link("package_id", "packages", "Home package; empty for symbols without one", nullable=True),
    _column("folded", Text, "Name folded as CHAR-EQUAL compares, for substring search", nullable=False),
    _column(
        "type",
        Text,
        "First that holds: MACRO, GENERIC-FUNCTION, FUNCTION, CLASS, VARIABLE, SYMBOL",
        nullable=False,
    ),
    _column("exported", Integer, "1 when external in at least one package", nullable=False),
    comment="All symbols that are present in a package",
)

presences = Table(
    "presences",
    metadata,
    _link("symbol_id", "symbols", "The symbol"),
    _link("package_id", "packages", "A package in which it is present"),
    _column("status", Text, "Its status there: external or internal", nullable=False),
    PrimaryKeyConstraint("symbol_id", "package_id"),
    comment="Which symbols are present in which package, and whether they are external there",
    sqlite_with_rowid=False,
)

source_files = Table(
    "source_files",
    metadata,
    _id("source file"),
    _column("recorded", Text, "Its name as SBCL records it, often a logical pathname", nullable=False),
    _column("path", Text, "Absolute path on the machine that built the index"),
    _column("sha256", Text, "SHA-256 of its bytes when the index was built; empty when it was not there"),
    _column("size", Integer, "Its size in bytes then"),
    comment="Source files that definitions and references stand in",
)

# Plain lines, not one compressed text: a definition or a line of use is then a point query.
source_lines = Table(
    "source_lines",
    metadata,
    _link("file_id", "source_files", "The source file"),
    _column("line", Integer, "Line, from 1", nullable=False),
    _column("text", Text, "The line, without its newline", nullable=False),
    PrimaryKeyConstraint("file_id", "line"),
    comment="The text of the source files, as it was when the index was built",
    sqlite_with_rowid=False,
)

definitions = Table(
    "definitions",
    metadata,
    _id("definition"),
    _link("symbol_id", "symbols", "The symbol it defines; empty for packages", nullable=True),
    _link("package_id", "packages", "The package it defines; empty for all others", nullable=True),
    _column("kind", Text, "Kind, as in kinds.kind", ForeignKey("kinds.kind"), nullable=False),
    _column("operator", Text, "SETF or CAS when the name is (setf symbol) or (cas symbol)"),
    _column("qualifiers", Text, "Method qualifiers, or the stage of an optimizer"),
    _column("specializers", Text, "Specializers of a method, argument types of a transform"),
    _column("arglist", Text, "Lambda list without packages; empty when SBCL does not know it"),
    _column("ftype", Text, "Declared or derived type of the function or variable"),
    _column("documentation", Text, "Documentation string"),
    _column("value", Text, "Printed value of a constant, or expansion of a symbol macro"),
    _column("deprecated", Text, "Deprecation state: early, late or final"),
    _column("deprecated_since", Text, "Software and version since when it is deprecated"),
    _column("replacement", Text, "What to use instead"),
    _link("file_id", "source_files", "Source file", nullable=True),
    _column("toplevel_form", Integer, "Number of the toplevel form in the file, from 0"),
    _column("form_number", Integer, "Number of the form within the toplevel form, depth first"),
    _column("toplevel_offset", Integer, "Where SBCL's reader stood before the toplevel form, in bytes"),
    _column("start_line", Integer, "Line of its own form, from 1"),
    _column(
        "start_column", Integer, "Column of its own form, from 1; empty: the line is the toplevel form's"
    ),
    _column("start_offset", Integer, "Offset of its own form in characters, from 0"),
    _column("end_offset", Integer, "Offset behind its own form"),
    _column("end_line", Integer, "Last line of its own form"),
    _column("defined_by", Text, "The macro whose form it is, such as defun"),
    _column("words", Text, "The words in the symbol's name, for full text"),
    _column(
        "callers_count",
        Integer,
        "How many distinct definitions use it as a function or macro",
        nullable=False,
    ),
    comment="Definitions: one for each symbol, kind, qualifiers and specializers",
)

documentation = Table(
    "documentation",
    metadata,
    _link("symbol_id", "symbols", "The symbol"),
    _column("type", Text, "Documentation type (CLHS documentation)", nullable=False),
    _column("text", Text, "Documentation string", nullable=False),
    PrimaryKeyConstraint("symbol_id", "type"),
    comment="Documentation strings of a type for which the symbol has no definition",
)

callers = Table(
    "callers",
    metadata,
    _id("caller"),
    _link("definition_id", "definitions", "The definition that the code belongs to, if any", nullable=True),
    _column("name", Text, "SBCL's name for the code when it belongs to no definition"),
    _link("file_id", "source_files", "Source file", nullable=True),
    _column("toplevel_form", Integer, "Number of the toplevel form it is compiled from, from 0"),
    comment="Compiled functions that refer to symbols",
)

relations = Table(
    "relations",
    metadata,
    _id("relation"),
    _column("relation", Text, "calls, macroexpands, references, sets or binds", nullable=False),
    comment="The relations that references record",
)

expansions = Table(
    "expansions",
    metadata,
    _id("name"),
    _column("name", Text, "Name of the macro, inline function or other operator", nullable=False),
    comment="Operators in whose expansion symbols are used that the text does not name",
)

# Half of an index's rows: small integers, and SQLite's own rowid, keep it quick to write.
symbol_references = Table(
    "symbol_references",
    metadata,
    _link("relation_id", "relations", "How the symbol is used"),
    _link("callee_id", "symbols", "The symbol that is used"),
    _column("callee_operator", Text, "SETF or CAS when (setf symbol) or (cas symbol) is used"),
    _link("caller_id", "callers", "The code it is used in"),
    _column("form_number", Integer, "Number of the using form within its toplevel form, depth first"),
    _column("line", Integer, "Line of the use, from 1; empty when the source was not there"),
    _column("start_column", Integer, "Column, from 1, where the text on that line names the symbol"),
    _link("expansion_id", "expansions", "Else the macro or inline function whose form it is", nullable=True),
    comment="References: which code calls, expands, reads, sets or binds which symbol",
)

problems = Table(
    "problems",
    metadata,
    _id("problem"),
    _column("stage", Text, "Stage: load, package, symbol, definition or references", nullable=False),
    _column("subject", Text, "The system, package, symbol or file", nullable=False),
    _column("part", Text, "What could not be had", nullable=False),
    _column("condition", Text, "Type of the Lisp condition", nullable=False),
    _column("message", Text, "Its report", nullable=False),
    comment="What could not be indexed, and why",
)

descriptions = Table(
    "descriptions",
    metadata,
    _column("table_name", Text, "Table", nullable=False),
    _column("column_name", Text, "Column; empty for the table itself", nullable=False),
    _column("description", Text, "What it holds", nullable=False),
    PrimaryKeyConstraint("table_name", "column_name"),
    comment="What the tables and columns of this file hold",
)


def descriptions_rows() -> list[tuple[str, str, str]]:
    """The rows of the table ``descriptions``, from the comments of all tables and columns."""
    rows = []
    for table in metadata.sorted_tables:
        rows.append((table.name, "", table.comment or ""))
        rows.extend((table.name, column.name, column.comment or "") for column in table.columns)
    return rows


# Indexes are made after the rows: half the time of keeping them up to date meanwhile.
INDEXES = (
    Index("symbols_by_name", symbols.c.name),
    Index("presences_by_package", presences.c.package_id, presences.c.status),
    Index("definitions_by_symbol", definitions.c.symbol_id),
    Index("references_by_callee", symbol_references.c.callee_id),
    Index("references_by_caller", symbol_references.c.caller_id),
    Index("callers_by_definition", callers.c.definition_id),
)

# Full text: table, columns, tokenizer. Names are folded already, so the trigram tokenizer must
# not fold again: SQLite's folding joins characters that CHAR-EQUAL keeps apart.
FULL_TEXT = (
    ("symbols", ("folded",), "trigram case_sensitive 1"),
    ("definitions", ("words", "arglist", "documentation"), "porter unicode61"),
)

VIEWS = {
    "exported_symbols": """
        SELECT packages.name AS package, symbols.name AS symbol, symbols.type AS type, symbols.id AS symbol_id
        FROM presences
        JOIN packages ON packages.id = presences.package_id
        JOIN symbols ON symbols.id = presences.symbol_id
        WHERE presences.status = 'external'""",
    "named_references": """
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
    "undocumented_exports": """
        SELECT exported_symbols.package, exported_symbols.symbol, definitions.kind
        FROM exported_symbols
        JOIN definitions ON definitions.symbol_id = exported_symbols.symbol_id
        JOIN kinds ON kinds.kind = definitions.kind
        WHERE kinds.documentation_type IS NOT NULL AND definitions.documentation IS NULL
          AND exported_symbols.package <> 'KEYWORD'""",
}
