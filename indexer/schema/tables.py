"""The tables of an index.

An index is one SQLite file. A build writes rows in batches while the records arrive. Roots and systems
(systems.py), packages (with their systems), symbols (marked as exported or not) and definitions (with
the number of their callers) come last. SQLite's indexes, views (views.py), full text, meta and
descriptions follow; the row ``complete`` of meta is written at the very end. A published index is never
changed: each build writes a new file, which then replaces the old one.

One example row of each of the most important tables:

    packages           id 4, name COMMON-LISP
    symbols            id 15993, name MAPCAR, package_id 4, folded mapcar, type FUNCTION, exported 1
    presences          package_id 4, symbol_id 15993, status external
    definitions        id 14116, symbol_id 15993, kind function, arglist (FUNCTION LIST &REST MORE-LISTS)
    source_files       id 12, recorded SYS:SRC;CODE;LIST.LISP, root_id 1, relative_path src/code/list.lisp
    symbol_references  relation_id 1 (calls), callee_id 15993, caller_id 87, form_number 22
    used_symbols       symbol_id 15993, relation_id 1 (calls), first_id 213040, last_id 213233, total 194
    callers            id 87, definition_id 211, file_id 12, toplevel_form 40

The accessible symbols of a package are not stored. They are the symbols that are present in the package, and
the external symbols of the packages that it uses, except those whose names are present in the package itself
(CLHS 11.1.1.2).

The schema must match schema/index.sql to the letter. Readers refuse a file with a different schema, such as
one to which somebody has added a table or a view. The last page is followed by checksums of all pages
(checksums.py), which SQLite ignores and ``oblist check-index`` compares.

For the rule about versions, see format.py. Any change to a table here that old readers would misread raises
FORMAT; an addition raises FEATURE.
"""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, Integer, PrimaryKeyConstraint, Table, Text

from .classes import CLASS_INDEXES
from .columns import column, link, metadata, row_id
from .signatures import SIGNATURE_INDEXES
from .systems import SYSTEM_INDEXES

meta = Table(
    "meta",
    metadata,
    column("name", Text, "Name of the fact", primary_key=True),
    column("value", Text, "The fact"),
    comment="Facts about the index as a whole: its versions, and the time and inputs of its build",
)

kinds = Table(
    "kinds",
    metadata,
    column("kind", Text, "Kind of definition, as in definitions.kind", primary_key=True),
    column("documentation_type", Text, "Documentation type of such definitions (CLHS documentation), if any"),
    column("description", Text, "Description of this kind of definition"),
    comment="The kinds of definitions that the indexed SBCL knows",
)

packages = Table(
    "packages",
    metadata,
    row_id("package"),
    column("name", Text, "Name", nullable=False, unique=True),
    column("documentation", Text, "Documentation string"),
    column("locked", Integer, "1 if the package is locked", nullable=False),
    link(
        "system_id", "systems", "The system that defines the package, or most of its symbols", nullable=True
    ),
    comment="Packages",
)

package_nicknames = Table(
    "package_nicknames",
    metadata,
    column("nickname", Text, "Nickname, valid everywhere", primary_key=True),
    link("package_id", "packages", "The package that the nickname refers to"),
    comment="Global nicknames of packages",
)

package_local_nicknames = Table(
    "package_local_nicknames",
    metadata,
    link("package_id", "packages", "The package in which the nickname is valid"),
    column("nickname", Text, "Nickname", nullable=False),
    link("target_id", "packages", "The package that the nickname refers to"),
    PrimaryKeyConstraint("package_id", "nickname"),
    comment="Package-local nicknames",
)

package_uses = Table(
    "package_uses",
    metadata,
    link("package_id", "packages", "The package that uses another"),
    column("position", Integer, "Place in the use list, from 0", nullable=False),
    link("used_id", "packages", "The package that is used"),
    PrimaryKeyConstraint("package_id", "used_id"),
    comment="Use lists: the packages whose external symbols a package inherits",
)

package_shadowing = Table(
    "package_shadowing",
    metadata,
    link("package_id", "packages", "The package"),
    link("symbol_id", "symbols", "A symbol on its shadowing list"),
    PrimaryKeyConstraint("package_id", "symbol_id"),
    comment="Shadowing symbols of packages",
)

symbols = Table(
    "symbols",
    metadata,
    row_id("symbol"),
    column("name", Text, "Exact name", nullable=False),
    link("package_id", "packages", "Home package; empty for symbols without one", nullable=True),
    column("folded", Text, "Name, case-folded as in CHAR-EQUAL, for substring search", nullable=False),
    column(
        "type",
        Text,
        "The first that applies: MACRO, GENERIC-FUNCTION, FUNCTION, CLASS, VARIABLE, SYMBOL",
        nullable=False,
    ),
    column("exported", Integer, "1 if the symbol is external in at least one package", nullable=False),
    column("search_rank", Integer, "Rank of the symbol among equally good matches", nullable=False),
    comment="All symbols that are present in a package",
)

short_patterns = Table(
    "short_patterns",
    metadata,
    column("pattern", Text, "At most two characters", primary_key=True),
    column("total", Integer, "Number of exported symbols whose case-folded names contain it", nullable=False),
    column("symbols", Text, "Numbers of these symbols in order, as JSON, if there are few; otherwise empty"),
    comment="Which names contain the patterns that are too short for full-text search",
    sqlite_with_rowid=False,
)

presences = Table(
    "presences",
    metadata,
    link("symbol_id", "symbols", "The symbol"),
    link("package_id", "packages", "A package in which the symbol is present"),
    column("status", Text, "Status of the symbol in this package: external or internal", nullable=False),
    PrimaryKeyConstraint("symbol_id", "package_id"),
    comment="The symbols present in each package, and whether they are external there",
    sqlite_with_rowid=False,
)

source_files = Table(
    "source_files",
    metadata,
    row_id("source file"),
    column("recorded", Text, "Name of the file as SBCL records it, often a logical pathname", nullable=False),
    column("path", Text, "Absolute path on the machine that built the index"),
    column(
        "sha256",
        Text,
        "SHA-256 of the bytes when the index was built; empty if it was missing or saved meanwhile",
    ),
    column("size", Integer, "Size in bytes when the index was built"),
    link("root_id", "roots", "The nearest root above the file", nullable=True),
    column("relative_path", Text, "Path of the file below that root"),
    link("system_id", "systems", "The system that the file is part of", nullable=True),
    comment="Source files of definitions and references",
)

# Plain lines, not one compressed text, so that a definition or the line of a use is a point query.
source_lines = Table(
    "source_lines",
    metadata,
    link("file_id", "source_files", "The source file"),
    column("line", Integer, "Line, from 1", nullable=False),
    column("text", Text, "The line, without its newline", nullable=False),
    PrimaryKeyConstraint("file_id", "line"),
    comment="The text of the source files, as it was when the index was built",
    sqlite_with_rowid=False,
)

definitions = Table(
    "definitions",
    metadata,
    row_id("definition"),
    link("symbol_id", "symbols", "The symbol that is defined; empty for packages", nullable=True),
    link("package_id", "packages", "The package that is defined; empty for all other kinds", nullable=True),
    column("kind", Text, "Kind, as in kinds.kind", ForeignKey("kinds.kind"), nullable=False),
    column("operator", Text, "SETF or CAS if the name is (setf symbol) or (cas symbol)"),
    column("qualifiers", Text, "Method qualifiers, or the stage of an optimizer"),
    column("specializers", Text, "Specializers of a method, or argument types of a transform"),
    column("arglist", Text, "Lambda list without package prefixes; empty if SBCL does not know it"),
    column("ftype", Text, "Declared or derived type of the function or variable"),
    column("documentation", Text, "Documentation string"),
    column("value", Text, "Printed value of a constant, or expansion of a symbol macro"),
    column("deprecated", Text, "Deprecation state: early, late or final"),
    column("deprecated_since", Text, "Software and version since which the name is deprecated"),
    column("replacement", Text, "What to use instead of the deprecated name"),
    link("file_id", "source_files", "Source file", nullable=True),
    column("toplevel_form", Integer, "Number of the toplevel form in the file, from 0"),
    column("form_number", Integer, "Number of the form within the toplevel form, counted depth first"),
    column("toplevel_offset", Integer, "Position of SBCL's reader before the toplevel form, in bytes"),
    column("start_line", Integer, "Line of the definition's form, from 1"),
    column(
        "start_column",
        Integer,
        "Column of the form, from 1; if empty, start_line is that of the toplevel form",
    ),
    column("start_offset", Integer, "Offset of the definition's form in characters, from 0"),
    column("end_offset", Integer, "Offset of the end of the definition's form"),
    column("end_line", Integer, "Last line of the definition's form"),
    column("defined_by", Text, "Operator of the definition's form, such as defun"),
    column("words", Text, "The words in the symbol's name, for full-text search"),
    column(
        "callers_count",
        Integer,
        "Number of distinct definitions that use the symbol as a function or macro",
        nullable=False,
    ),
    column(
        "search_id",
        Integer,
        "Row number in definitions_fts, where symbols that rank higher have lower numbers",
        nullable=False,
    ),
    comment="Definitions, one for each combination of symbol, kind, operator, qualifiers and specializers",
)

documentation = Table(
    "documentation",
    metadata,
    link("symbol_id", "symbols", "The symbol"),
    column("type", Text, "Documentation type (CLHS documentation)", nullable=False),
    column("text", Text, "Documentation string", nullable=False),
    PrimaryKeyConstraint("symbol_id", "type"),
    comment="Documentation strings for documentation types for which the symbol has no definition",
)

callers = Table(
    "callers",
    metadata,
    row_id("caller"),
    link("definition_id", "definitions", "The definition to which the code belongs, if any", nullable=True),
    column("name", Text, "SBCL's name for the code if it belongs to no definition"),
    link("file_id", "source_files", "Source file", nullable=True),
    column("toplevel_form", Integer, "Number of the toplevel form that contains the code, from 0"),
    comment="Code that uses symbols",
)

relations = Table(
    "relations",
    metadata,
    row_id("relation"),
    column("relation", Text, "Name of the relation, such as calls or instantiates", nullable=False),
    comment="The ways in which a symbol is used, in the order in which they are shown",
)

expansions = Table(
    "expansions",
    metadata,
    row_id("name"),
    column("name", Text, "Name of the macro, inline function or other operator", nullable=False),
    comment="Operators whose expansions use symbols that the text does not name",
)

# Half of the rows of an index: small integers in one order make it small, and quick to write and to read.
symbol_references = Table(
    "symbol_references",
    metadata,
    row_id("use"),
    link("relation_id", "relations", "How the symbol is used"),
    link("callee_id", "symbols", "The symbol that is used"),
    column("callee_operator", Text, "SETF or CAS if (setf symbol) or (cas symbol) is used"),
    link("caller_id", "callers", "The code that uses the symbol"),
    column(
        "form_number",
        Integer,
        "Number of the using form within its toplevel form; empty for a use that only the text shows",
    ),
    column("line", Integer, "Line of the use, from 1; empty if the source was missing"),
    column("start_column", Integer, "Column, from 1, at which the text of that line names the symbol"),
    column("length", Integer, "Length of the text that names the symbol; empty if equal to that of its name"),
    link(
        "expansion_id",
        "expansions",
        "Operator whose expansion contains the use, if the text does not name the symbol; ` for a template",
        nullable=True,
    ),
    link(
        "text_relation_id",
        "relations",
        "Relation according to the text alone, if SBCL recorded a different one",
        nullable=True,
    ),
    comment="The uses of symbols in code and in text, in the order in which they are shown",
)

used_symbols = Table(
    "used_symbols",
    metadata,
    link("symbol_id", "symbols", "The symbol that is used"),
    column("operator", Text, "SETF or CAS if (setf symbol) or (cas symbol) is used"),
    link(
        "relation_id",
        "relations",
        "How the symbol is used; empty in the row for all uses of a symbol that is used in several ways",
        nullable=True,
    ),
    column("first_id", Integer, "Number of the first of these uses", nullable=False),
    column("last_id", Integer, "Number of the last of these uses", nullable=False),
    column("total", Integer, "Number of these uses", nullable=False),
    column("callers", Integer, "Number of distinct callers", nullable=False),
    column(
        "code_callers",
        Integer,
        "In a row for all uses: number of distinct callers by the relations that SBCL records; empty unless "
        "there are several such relations",
    ),
    PrimaryKeyConstraint("symbol_id", "first_id", "last_id"),
    comment="The uses of each symbol, as runs of rows in symbol_references",
    sqlite_with_rowid=False,
)

using_symbols = Table(
    "using_symbols",
    metadata,
    link("symbol_id", "symbols", "The symbol whose definitions use other symbols"),
    column("operator", Text, "SETF or CAS if (setf symbol) or (cas symbol) is defined"),
    link(
        "relation_id",
        "relations",
        "How the other symbols are used; empty in the row for all uses, if there are several ways",
        nullable=True,
    ),
    column("total", Integer, "Number of these uses", nullable=False),
    column("callees", Integer, "Number of distinct callees", nullable=False),
    column("uses", Text, "The uses, as a JSON array of their numbers, in the order in which they are shown"),
    comment="The uses of other symbols in the definitions of each symbol",
)

unread_text = Table(
    "unread_text",
    metadata,
    link("file_id", "source_files", "The source file"),
    column("line", Integer, "First line, from 1", nullable=False),
    column("end_line", Integer, "Last line", nullable=False),
    comment="Parts of files in nonstandard syntax; these parts were only searched for names",
)

problems = Table(
    "problems",
    metadata,
    row_id("problem"),
    column("stage", Text, "Stage, such as load, package, symbol, definition, source", nullable=False),
    column("subject", Text, "The system, package, symbol or file that the problem concerns", nullable=False),
    column("part", Text, "The part that could not be determined", nullable=False),
    column("condition", Text, "Type of the Lisp condition", nullable=False),
    column("message", Text, "Report of the condition", nullable=False),
    column("path", Text, "Absolute path of the source file at fault, if known"),
    column("line", Integer, "Line of the form at fault, from 1"),
    comment="Things that could not be indexed, and why",
)

descriptions = Table(
    "descriptions",
    metadata,
    column("table_name", Text, "Table or view", nullable=False),
    column("column_name", Text, "Column; empty for the table or view itself", nullable=False),
    column("description", Text, "Contents of the table, view or column", nullable=False),
    PrimaryKeyConstraint("table_name", "column_name"),
    comment="Descriptions of the tables, views and columns of this file",
)


def descriptions_rows() -> list[tuple[str, str, str]]:
    """The rows of the table ``descriptions``, from the comments of all tables and columns."""
    rows = []
    for table in metadata.sorted_tables:
        rows.append((table.name, "", table.comment or ""))
        rows.extend((table.name, column.name, column.comment or "") for column in table.columns)
    return rows


# Indexes are made after the rows: keeping them up to date while rows are written takes twice as long.
INDEXES_OF_SYMBOLS = (
    Index("symbols_by_name", symbols.c.name),
    # All that apropos shows and compares of exported symbols, in its order.
    Index(
        "exported_in_order",
        *(symbols.c.name, symbols.c.package_id, symbols.c.type, symbols.c.folded),
        sqlite_where=symbols.c.exported,
    ),
    Index("symbols_by_package", symbols.c.package_id, symbols.c.exported, symbols.c.name, symbols.c.type),
    Index("presences_by_package", presences.c.package_id, presences.c.status),
    Index("definitions_by_symbol", definitions.c.symbol_id),
    # A name may have thousands of methods, and few definitions of other kinds.
    Index("definitions_but_methods", definitions.c.symbol_id, sqlite_where=definitions.c.kind != "method"),
    # All that a search reads of what full text finds.
    Index("definitions_by_search_id", definitions.c.search_id, definitions.c.symbol_id),
    Index("definitions_by_form", definitions.c.file_id, definitions.c.start_offset),
    *SIGNATURE_INDEXES,
)
INDEXES = (
    *INDEXES_OF_SYMBOLS,
    Index("users_by_package", package_uses.c.used_id),
    Index("callers_by_definition", callers.c.definition_id),
    Index("using_symbols_by_symbol", using_symbols.c.symbol_id),
    *CLASS_INDEXES,
    *SYSTEM_INDEXES,
)
