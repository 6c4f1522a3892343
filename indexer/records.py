"""The records that the Lisp side writes, one JSON object per line, as typed values.

The mirror of lisp/dump/whole.lisp. Fields that are null are left out of the line.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, get_args

import orjson

from .errors import RecordError

STREAM_VERSION = 4  # +STREAM-VERSION+ in lisp/dump/whole.lisp


@dataclass(frozen=True, slots=True)
class Header:
    """The first record: the image that is dumped, and the tables that later records refer to by number."""

    stream: int
    sbcl: str
    machine: str
    features: list[str]
    case_pairs: list[str]
    titlecase_pairs: list[str]
    relations: list[str]
    operators: list[str | None]
    kinds: list[list[str | None]]


@dataclass(frozen=True, slots=True)
class System:
    """An ASDF system; ``dependencies`` are pairs of relation and name, ``files`` its components."""

    id: int
    name: str
    asked: bool
    files: list[str]
    dependencies: list[list[str]]
    version: str | None = None
    licence: str | None = None
    author: str | None = None
    description: str | None = None
    definition: str | None = None
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Components:
    """The Lisp files that the definition of a system of the project, or one that was asked for, names.

    ``state`` is loaded, failed or unloaded; ``files`` are pairs of a path and the feature expression that
    leaves the file out, or None.
    """

    system: str
    state: str
    files: list[list[str | None]]


@dataclass(frozen=True, slots=True)
class Root:
    """A folder of sources that belongs to no system: SBCL's own, or the project's."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Package:
    """A package; ``uses`` are package ids in order, ``local_nicknames`` pairs of name and id."""

    id: int
    name: str
    nicknames: list[str]
    locked: bool
    uses: list[int]
    local_nicknames: list[list[Any]]
    documentation: str | None = None


@dataclass(frozen=True, slots=True)
class Symbols:
    """Symbols with ids from ``first`` on: rows of name, id of the home package, contract type."""

    first: int
    rows: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Presences:
    """The symbols that are present in a package, by status, and its shadowing symbols."""

    package: int
    external: list[int]
    internal: list[int]
    shadowing: list[int]


@dataclass(frozen=True, slots=True)
class File:
    """A source file: its namestring as SBCL records it, and the path a program can open."""

    id: int
    recorded: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition; ``operator`` is SETF or CAS for names that are lists.

    The types and numbers of arguments are those of a function whose lambda list is known. ``fresh``, in a
    refresh, says that its code is newer than the base.
    """

    id: int
    kind: str
    symbol: int | None = None
    package: int | None = None
    operator: str | None = None
    qualifiers: str | None = None
    specializers: str | None = None
    arglist: str | None = None
    ftype: str | None = None
    documentation: str | None = None
    value: str | None = None
    deprecated: str | None = None
    deprecated_since: str | None = None
    replacement: str | None = None
    file: int | None = None
    toplevel_form: int | None = None
    form_number: int | None = None
    toplevel_offset: int | None = None
    line: int | None = None
    column: int | None = None
    offset: int | None = None
    end_offset: int | None = None
    end_line: int | None = None
    defined_by: str | None = None
    argument_types: str | None = None
    result_types: str | None = None
    least_arguments: int | None = None
    most_arguments: int | None = None
    fresh: bool | None = None


@dataclass(frozen=True, slots=True)
class Class:
    """The parts of a class, structure or condition; ``definition`` is its definition.

    ``superclasses`` and ``precedence`` are symbols. ``slots`` are lists of name, symbol, type,
    allocation, initform, documentation, read-only, initargs, readers, writers; the last two are
    lists of symbol and operator. ``default_initargs`` are pairs of initarg and form. ``functions``, of a
    structure, are lists of role, whether it takes arguments by position, and symbol.
    """

    definition: int
    finalized: bool
    superclasses: list[int]
    precedence: list[int]
    slots: list[list[Any]]
    default_initargs: list[list[str]]
    functions: list[list[Any]]
    metaclass: int | None = None
    representation: str | None = None
    prefix: str | None = None


@dataclass(frozen=True, slots=True)
class Specializers:
    """The specializers of a method, one for each required argument.

    Rows of the symbol of a class, or the text of an EQL object and the symbol of its class, if known.
    """

    definition: int
    rows: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Documentation:
    """A symbol's documentation string for a documentation type of which it has no definition."""

    symbol: int
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Expansion:
    """The operator of a form whose expansion uses symbols."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Callers:
    """Code that uses symbols, numbered from 1 on through the stream: rows of definition, SBCL's name for code
    that belongs to none, file and toplevel form."""

    rows: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Uses:
    """Uses of symbols, numbered from 1 on through the stream, in the order in which they are shown.

    A flat list of relation, callee, operator, caller, form number, line, column, length, expansion, and
    relation in the text alone, and so on, with null for what is unknown or does not apply. Relations count
    from 1 in the header's list.
    """

    rows: list[Any]


@dataclass(frozen=True, slots=True)
class Runs:
    """The uses of each symbol.

    Rows of symbol, operator, relation (null for all that are shown together), the first and the last use, the
    number of them, of distinct callers, and, for all together, of distinct callers by the relations that SBCL
    records, if there are several of these.
    """

    rows: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of definitions that call or expand a symbol: rows of symbol, operator and number."""

    rows: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Callees:
    """The uses that the definitions of symbols make.

    Rows of symbol, operator, relation (null for all that are shown together), the number of them, of distinct
    callees, and their list unless it is of all.
    """

    rows: list[list[Any]]


@dataclass(frozen=True, slots=True)
class Unread:
    """Texts not in standard syntax, where names were only looked for: rows of file, first and last line."""

    rows: list[list[int]]


TRANSIENT = ("TIMEOUT", "SBCL-ENDED", "HEAP-EXHAUSTED-ERROR", "COMPILER-ENDED")
"""The conditions of what was cut short while it loaded: the cause may not be in what was loaded."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be indexed, and why; ``path`` and ``line`` belong to the cause, if known."""

    stage: str
    subject: str
    part: str
    condition: str
    message: str
    path: str | None = None
    line: int | None = None


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
    """The last record: the counts of packages, symbols and definitions."""

    packages: int
    symbols: int
    definitions: int


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
        values = orjson.loads(line)
        return _TYPES[values.pop("record")](**values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        shown = line[:80].decode("utf-8", "replace")
        raise RecordError(f"SBCL sent a line that is not a record: {shown!r} ({error})") from error


def write_record(record: Record) -> bytes:
    """The line that the Lisp side would write for ``record``."""
    values = {"record": type(record).__name__.lower()}
    for field in fields(record):
        value = getattr(record, field.name)
        if value is not None:
            values[field.name] = value
    return orjson.dumps(values) + b"\n"
