"""The records that the Lisp side writes, one JSON object per line, as typed values.

The mirror of lisp/dump/whole.lisp, and of lisp/portable/stream.lisp. Fields that are null are left out of the
line. docs/formats/records.md is made from the declarations here.

VERSION history
    5  the first published version, which adds the name of the implementation and the parts that are left out
    6  adds file.crc32
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, get_args

import orjson

from .errors import RecordError
from .record_fields import Cell, doc

STREAM_VERSION = 6
"""The version of the stream: +STREAM-VERSION+ in lisp/dump/whole.lisp and lisp/portable/stream.lisp."""

_OPERATORS = ("SETF", "CAS")
_TYPES_OF_SYMBOLS = ("MACRO", "GENERIC-FUNCTION", "FUNCTION", "CLASS", "VARIABLE", "SYMBOL")
_SYMBOL = Cell("symbol", int, "The symbol", of="symbol")
_OPERATOR = Cell("operator", str, "SETF or CAS around the symbol, if any", words=_OPERATORS, optional=True)
_NUMBER_OF_OPERATOR = Cell(
    "operator", int, "Position of the operator in the header's list, from 0", of="operator"
)
_RELATION = Cell(
    "relation",
    int,
    "Relation of the uses; null for all uses together, if they have several relations",
    of="relation",
    optional=True,
)
_ACCESSORS = (Cell("symbol", int, "Symbol of the function", of="symbol"), _OPERATOR)


@dataclass(frozen=True, slots=True)
class Header:
    """The first record, which describes the image, with lists to which later records refer by number."""

    stream: int = doc("Version of the stream")
    implementation: str = doc("Name and version of the Lisp, such as ECL 21.2.1 or SBCL 2.2.9.debian")
    machine: str = doc("Machine and operating system, such as X86-64 Linux")
    features: list[str] = doc("The image's *features*, printed, in order")
    case_pairs: list[str] = doc(
        "Two strings of the same length: all characters with case, in upper case, and the same characters in "
        "lower case. Searches treat exactly these pairs as equal, as CHAR-EQUAL does (CLHS 13.1.4.3)"
    )
    titlecase_pairs: list[str] = doc(
        "Two strings of the same length: the characters that the reader upcases although they are not in "
        "lower case, and the same characters in upper case"
    )
    relations: list[str] = doc(
        "Relations between symbols and their uses, in the order in which they are shown"
    )
    operators: list[str | None] = doc(
        "Operators that may be around the name of a function: null (for none), SETF and, in some Lisps, CAS"
    )
    kinds: list[list[str | None]] = doc(
        "Kinds of definitions that this producer records",
        rows=(
            Cell("kind", str, "Name of the kind"),
            Cell("documentation_type", str, "Its documentation type (CLHS documentation)", optional=True),
            Cell("description", str, "Description of the kind"),
        ),
    )
    left_out: list[str] = doc("Parts of the stream that this producer does not record")


@dataclass(frozen=True, slots=True)
class System:
    """An ASDF system that was loaded."""

    id: int = doc("Number of the system", numbers="system")
    name: str = doc("Name by which ASDF finds the system", unique=True)
    asked: bool = doc("True if the system was requested by name, false if it was loaded as a dependency")
    files: list[str] = doc("Absolute paths of the files of the system", path=True)
    dependencies: list[list[str]] = doc(
        "Direct dependencies, in order",
        rows=(
            Cell(
                "relation",
                str,
                "Kind of dependency",
                words=("depends-on", "weakly-depends-on", "defsystem-depends-on"),
            ),
            Cell("name", str, "Name of the system or module"),
        ),
    )
    version: str | None = doc("Version", default=None)
    licence: str | None = doc("Licence", default=None)
    author: str | None = doc("Author or authors", default=None)
    description: str | None = doc("Description in one line", default=None)
    definition: str | None = doc("Absolute path of the file that defines the system", default=None, path=True)
    folder: str | None = doc("Absolute path of the folder of the sources", default=None, path=True)


@dataclass(frozen=True, slots=True)
class Components:
    """The Lisp files named in the definition of a system that belongs to the project or was requested."""

    system: str = doc("Name of the system", part="components")
    state: str = doc("Whether the system was loaded", words=("loaded", "failed", "unloaded"))
    files: list[list[str | None]] = doc(
        "Lisp files of the system",
        rows=(
            Cell("path", str, "Absolute path", path=True),
            Cell("feature", str, "Feature expression that excludes the file", optional=True),
        ),
    )


@dataclass(frozen=True, slots=True)
class Root:
    """A folder of sources that belongs to no system: the folder of SBCL's own sources, or of the project."""

    name: str = doc('Name of the root, which is "project" for the folder of the project', unique=True)
    path: str = doc("Absolute path of the folder", path=True)


@dataclass(frozen=True, slots=True)
class Package:
    """A package."""

    id: int = doc("Number of the package", numbers="package")
    name: str = doc("Name", unique=True)
    nicknames: list[str] = doc("Nicknames that are valid everywhere")
    locked: bool = doc("True if the package is locked")
    uses: list[int] = doc("Packages that this package uses, in order", of="package", later=True)
    local_nicknames: list[list[Any]] = doc(
        "Package-local nicknames",
        later=True,
        rows=(
            Cell("nickname", str, "Nickname"),
            Cell("package", int, "Package that the nickname stands for", of="package"),
        ),
    )
    documentation: str | None = doc("Documentation string", default=None)


@dataclass(frozen=True, slots=True)
class Symbols:
    """Symbols, one per row. A record usually contains a few hundred rows."""

    first: int = doc("Number of the symbol in the first row", numbers="symbol", least=1)
    rows: list[list[Any]] = doc(
        "The symbols",
        rows=(
            Cell("name", str, "Exact name"),
            Cell("package", int, "Home package; null if there is none", of="package", optional=True),
            Cell("type", str, "The first of these types that applies", words=_TYPES_OF_SYMBOLS),
        ),
    )


@dataclass(frozen=True, slots=True)
class Presences:
    """The symbols that are present in a package, by status, and the shadowing symbols of the package."""

    package: int = doc("The package", of="package", unique=True)
    external: list[int] = doc("Symbols that are present and external", of="symbol")
    internal: list[int] = doc("Symbols that are present and internal", of="symbol")
    shadowing: list[int] = doc("Symbols on the shadowing list of the package", of="symbol")


@dataclass(frozen=True, slots=True)
class File:
    """A source file."""

    id: int = doc("Number of the file", numbers="file")
    recorded: str = doc("Name of the file as the Lisp records it; may be a logical pathname", part="files")
    path: str | None = doc("Absolute path that a program can open", default=None, path=True)
    crc32: str | None = doc(
        "CRC-32 of the bytes in which the producer found the places of definitions, in 8 hexadecimal digits "
        "(lower case). If the file has other bytes when the index is made, the index does not store its text",
        default=None,
        part="files",
    )


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition: one for each combination of symbol, operator, kind, qualifiers and specializers.

    Lambda lists are printed without package prefixes, except for keywords: ``(tree &key (test #'eql))`` is
    printed as ``(TREE &KEY (TEST (FUNCTION EQL)))``, and an empty lambda list as ``()``.
    """

    id: int = doc("Number of the definition", numbers="definition")
    kind: str = doc("Kind, which must be listed in the header", of="kind")
    symbol: int | None = doc("Symbol that is defined; null for a package", default=None, of="symbol")
    package: int | None = doc("Package that is defined; null for anything else", default=None, of="package")
    operator: str | None = doc(
        "SETF or CAS, if (setf symbol) or (cas symbol) is defined", default=None, words=_OPERATORS
    )
    qualifiers: str | None = doc("Qualifiers of a method, with spaces between them", default=None)
    specializers: str | None = doc(
        "Specializers of a method, in a list such as (INTEGER (EQL 3))", default=None
    )
    arglist: str | None = doc("Lambda list, printed as a list", default=None, part="arglists")
    ftype: str | None = doc(
        "Declared or derived type, printed with package prefixes", default=None, part="types"
    )
    documentation: str | None = doc("Documentation string", default=None, part="documentation")
    value: str | None = doc(
        "Printed value of a constant, or expansion of a symbol macro", default=None, part="values"
    )
    deprecated: str | None = doc(
        "Deprecation state", default=None, words=("early", "late", "final"), part="deprecation"
    )
    deprecated_since: str | None = doc(
        "Software and version since which the name is deprecated", default=None, part="deprecation"
    )
    replacement: str | None = doc(
        "What to use instead of the deprecated name", default=None, part="deprecation"
    )
    file: int | None = doc("Source file", default=None, of="file", part="files")
    toplevel_form: int | None = doc(
        "Number of the toplevel form in the file, from 0", default=None, part="form-numbers"
    )
    form_number: int | None = doc(
        "Number of the form within the toplevel form, counted depth first", default=None, part="form-numbers"
    )
    toplevel_offset: int | None = doc(
        "Position of the reader before the toplevel form, in bytes", default=None, part="files"
    )
    line: int | None = doc(
        "Line of the definition's form, from 1; if there is no column, line of the toplevel form around it",
        default=None,
        least=1,
        part="files",
    )
    column: int | None = doc("Column of the definition's form, from 1", default=None, least=1, part="extents")
    offset: int | None = doc(
        "Offset of the definition's form in characters, from 0", default=None, part="extents"
    )
    end_offset: int | None = doc("Offset of the end of the definition's form", default=None, part="extents")
    end_line: int | None = doc("Last line of the definition's form", default=None, least=1, part="extents")
    defined_by: str | None = doc(
        "Operator of the definition's form, in lower case, such as defun", default=None, part="extents"
    )
    argument_types: str | None = doc("Types of the arguments", default=None, part="types")
    result_types: str | None = doc("Types of the results", default=None, part="types")
    least_arguments: int | None = doc("Minimum number of arguments", default=None, part="argument-counts")
    most_arguments: int | None = doc(
        "Maximum number of arguments; null if there is no limit", default=None, part="argument-counts"
    )
    fresh: bool | None = doc("Its code is newer than the base", default=None, inner=True)


@dataclass(frozen=True, slots=True)
class Class:
    """The parts of a class, structure or condition."""

    definition: int = doc("Definition of the class", of="definition", unique=True)
    finalized: bool = doc("True if the class is finalized and so has a precedence list")
    superclasses: list[int] = doc("Direct superclasses, in order", of="symbol")
    precedence: list[int] = doc("Precedence list; empty unless the class is finalized", of="symbol")
    slots: list[list[Any]] = doc(
        "Direct slots",
        rows=(
            Cell("name", str, "Name"),
            Cell("symbol", int, "Symbol that names the slot", of="symbol", optional=True),
            Cell("type", str, "Type of the slot; null if the type is T", optional=True),
            Cell("allocation", str, "Allocation", words=("instance", "class")),
            Cell("initform", str, "Initform", optional=True),
            Cell("documentation", str, "Documentation string", optional=True),
            Cell("read_only", bool, "True for a read-only slot of a structure"),
            Cell("initargs", str, "Initargs, with spaces between them", optional=True),
            Cell("readers", list, "Functions that read the slot", cells=_ACCESSORS),
            Cell("writers", list, "Functions that set the slot", cells=_ACCESSORS),
        ),
    )
    default_initargs: list[list[str]] = doc(
        "Direct default initargs",
        rows=(Cell("initarg", str, "Initarg"), Cell("form", str, "Form")),
    )
    functions: list[list[Any]] = doc(
        "Functions of a structure",
        part="structures",
        rows=(
            Cell("role", str, "Role of the function", words=("constructor", "predicate", "copier")),
            Cell("by_position", bool, "True for a constructor with its own lambda list (BOA)"),
            _SYMBOL,
        ),
    )
    metaclass: int | None = doc("Metaclass of the class", default=None, of="symbol")
    representation: str | None = doc(
        "Representation of a structure without a class, such as LIST", default=None, part="structures"
    )
    prefix: str | None = doc("Prefix of a structure's accessors", default=None, part="structures")


@dataclass(frozen=True, slots=True)
class Specializers:
    """The specializers of a method, one for each required argument."""

    definition: int = doc("Definition of the method", of="definition", unique=True)
    rows: list[list[Any]] = doc(
        "The specializers",
        rows=(
            Cell("symbol", int, "Class; null for an EQL specializer", of="symbol", optional=True),
            Cell("eql", str, "Printed object of an EQL specializer; null for a class", optional=True),
            Cell("object_class", int, "Class of the object, if known", of="symbol", optional=True),
        ),
    )


@dataclass(frozen=True, slots=True)
class Documentation:
    """A symbol's documentation string for a documentation type for which the symbol has no definition."""

    symbol: int = doc("The symbol", of="symbol", part="documentation")
    type: str = doc("Documentation type (CLHS documentation), in upper case")
    text: str = doc("Documentation string")


@dataclass(frozen=True, slots=True)
class Expansion:
    """The operator of a form whose expansion uses symbols."""

    id: int = doc("Number of the operator", numbers="expansion", part="references")
    name: str = doc("Name of the operator", unique=True)


@dataclass(frozen=True, slots=True)
class Callers:
    """Code that uses symbols. The rows of all such records are numbered consecutively, from 1."""

    rows: list[list[Any]] = doc(
        "The code",
        part="references",
        numbers="caller",
        rows=(
            Cell("definition", int, "Definition that contains the code", of="definition", optional=True),
            Cell("name", str, "Name that the Lisp gives to code outside all definitions", optional=True),
            Cell("file", int, "Source file", of="file", optional=True),
            Cell("toplevel_form", int, "Number of the toplevel form, from 0", optional=True),
        ),
    )


@dataclass(frozen=True, slots=True)
class Uses:
    """Uses of symbols, in the order in which they are shown; the uses of the stream are numbered from 1.

    The uses are sorted by callee, operator and relation. The values of all rows form one flat list.
    """

    rows: list[Any] = doc(
        "The uses",
        part="references",
        numbers="use",
        flat=True,
        rows=(
            Cell("relation", int, "Position of the relation in the header's list, from 1", of="relation"),
            Cell("callee", int, "Symbol that is used", of="symbol"),
            _OPERATOR,
            Cell("caller", int, "Code that uses the symbol", of="caller"),
            Cell("form_number", int, "Number of the form within the toplevel form", optional=True),
            Cell("line", int, "Line", optional=True),
            Cell("column", int, "Column at which the text names the callee, from 1", optional=True),
            Cell(
                "length",
                int,
                "Length of this text; null if it equals the length of the name",
                optional=True,
            ),
            Cell(
                "expansion",
                int,
                "Operator whose expansion contains the use",
                of="expansion",
                optional=True,
            ),
            Cell(
                "text_relation",
                int,
                "Relation according to the text, if it differs from `relation`",
                of="relation",
                optional=True,
            ),
        ),
    )


@dataclass(frozen=True, slots=True)
class Runs:
    """The uses of each symbol, in runs that share one symbol, operator and relation."""

    rows: list[list[Any]] = doc(
        "The runs",
        part="references",
        rows=(
            _SYMBOL,
            _NUMBER_OF_OPERATOR,
            _RELATION,
            Cell("first", int, "First use", of="use"),
            Cell("last", int, "Last use", of="use"),
            Cell("total", int, "Number of uses"),
            Cell("callers", int, "Number of distinct callers"),
            Cell(
                "code_callers",
                int,
                "Number of distinct callers by the relations calls, macroexpands, references, sets and "
                "binds; only if the relation is null and the uses have several of these relations",
                optional=True,
            ),
        ),
    )


@dataclass(frozen=True, slots=True)
class Counts:
    """For each symbol, the number of definitions that call or expand it."""

    rows: list[list[Any]] = doc(
        "The counts",
        part="references",
        rows=(_SYMBOL, _NUMBER_OF_OPERATOR, Cell("number", int, "Number of distinct definitions")),
    )


@dataclass(frozen=True, slots=True)
class Callees:
    """What the definitions of each symbol use."""

    rows: list[list[Any]] = doc(
        "The uses, grouped by the symbol whose definitions contain them",
        part="references",
        rows=(
            _SYMBOL,
            _NUMBER_OF_OPERATOR,
            _RELATION,
            Cell("total", int, "Number of uses"),
            Cell("callees", int, "Number of distinct callees"),
            Cell(
                "uses",
                list,
                "The uses; null in the row for all uses together",
                cells=(Cell("use", int, "Use", of="use"),),
                optional=True,
            ),
        ),
    )


@dataclass(frozen=True, slots=True)
class Unread:
    """Parts of files in nonstandard syntax; these parts were only searched for names."""

    rows: list[list[int]] = doc(
        "The parts",
        part="references",
        rows=(
            Cell("file", int, "Source file", of="file"),
            Cell("first", int, "First line"),
            Cell("last", int, "Last line"),
        ),
    )


TRANSIENT = ("TIMEOUT", "SBCL-ENDED", "HEAP-EXHAUSTED-ERROR", "COMPILER-ENDED")
"""The conditions of what was cut short while it loaded: the cause may not be in what was loaded."""
OTHER_TEXT = "OTHER-TEXT"
"""The condition of a file that, when its text was to be stored, had not the bytes of ``File.crc32``."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Information that could not be determined, and the reason."""

    stage: str = doc(
        'Stage: "load" if something did not load; otherwise, for example, "package" or "definition"'
    )
    subject: str = doc("System, package, symbol or file that the problem concerns")
    part: str = doc('Part that could not be determined: "system" or "file" if the stage is "load"')
    condition: str = doc("Type of the condition")
    message: str = doc("Report of the condition")
    path: str | None = doc("Absolute path of the source file at fault", default=None, path=True)
    line: int | None = doc("Line of the form at fault, from 1", default=None, least=1)


@dataclass(frozen=True, slots=True)
class Loaded:
    """In a refresh: a system that was loaded, and the files of it, as pairs of source and compiled file.

    A system that is ``kept`` was loaded from its last good state, and its files are not told.
    """

    system: str
    kept: bool
    files: list[list[str]]


@dataclass(frozen=True, slots=True)
class Unfit:
    """Above a layer: why what the layer has of itself is not true any more, in a way that no record mends."""

    why: str


@dataclass(frozen=True, slots=True)
class Deferred:
    """Symbols with definitions that a layer leaves to the images above it."""

    symbols: list[int]


@dataclass(frozen=True, slots=True)
class Touched:
    """In a refresh: symbols of the base all of whose definitions, except methods, follow again.

    ``symbols`` are pairs of a symbol and its contract type.
    """

    symbols: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Kept:
    """In a refresh: the methods that a generic function of the base still has.

    ``methods`` are pairs of qualifiers, as in Definition, and specializers, as in Specializers without the
    classes of objects.
    """

    symbol: int
    methods: list[list[Any]]
    operator: str | None = None


@dataclass(frozen=True, slots=True)
class Outside:
    """In a slice: the packages and symbols that are only named, because others bring them."""

    packages: list[int]
    symbols: list[int]


@dataclass(frozen=True, slots=True)
class Surveyed:
    """In a survey: the systems that the definitions define, and one that reading them needs loaded first."""

    defined: list[str]
    needed: str | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The last record, which states how many packages, symbols and definitions there are."""

    packages: int = doc("Number of packages")
    symbols: int = doc("Number of symbols")
    definitions: int = doc("Number of definitions")


Record = (
    Header
    | System
    | Components
    | Root
    | Package
    | Symbols
    | Presences
    | File
    | Definition
    | Class
    | Specializers
    | Documentation
    | Expansion
    | Callers
    | Uses
    | Runs
    | Counts
    | Callees
    | Unread
    | Problem
    | Loaded
    | Unfit
    | Deferred
    | Touched
    | Kept
    | Outside
    | Surveyed
    | End
)

_TYPES: dict[str, type[Record]] = {cls.__name__.lower(): cls for cls in get_args(Record)}


def read_record(line: bytes) -> Record:
    """Parse one line of the stream; raises RecordError."""
    try:
        return record_of(orjson.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        shown = line[:80].decode("utf-8", "replace")
        raise RecordError(f"SBCL sent a line that is not a record: {shown!r} ({error})") from error


def record_of(values: dict[str, Any]) -> Record:
    """The record that a parsed line has; raises KeyError, TypeError or AttributeError if it has none."""
    return _TYPES[values.pop("record")](**values)


def write_record(record: Record) -> bytes:
    """The line that the Lisp side would write for ``record``."""
    values = {"record": type(record).__name__.lower()}
    for field in fields(record):
        value = getattr(record, field.name)
        if value is not None:
            values[field.name] = value
    return orjson.dumps(values) + b"\n"
