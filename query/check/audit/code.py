"""The code that is audited: its definitions, and how their names are used."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from ...index.present.lines import TextLines
from ...index.reading import Reading
from ...index.relations import RELATIONS
from ...index.sql import SOURCE_TEXT
from ...index.written import SymbolRow
from ...questions.between.part import PACKAGE, PROJECT, SYSTEM, NamedPart, PartCode
from ...questions.classes import sql as classes_sql
from ...questions.xref.sql import EXPORTED
from ...syntax.format_control import functions_in_directives
from ...syntax.lexemes import Lexeme, lexemes
from . import sql
from .answer import AuditFinding
from .looked_up import looked_up
from .releases import ReleasesThatUse
from .sql import AuditedRow, PackagePlaceRow, UsedRow

NO_USES = frozenset(("defines", "exports", "imports", "declares"))
"""Relations that need a name to be defined, but do not need it."""
MAKES_NAMES = "code in the same file makes names at run time"
_LOOKED_UP = {"HYPERDOC-LOOKUP": "HyperDoc", "*HYPERDOC-BASE-URI*": "HyperDoc"}
_DATA = ("names", "mentions")
_OF_CLASSES = ("defclass", "defstruct", "define-condition")
STANDARD_DEFINERS = frozenset(
    (
        *("defun", "defgeneric", "defmacro", "defvar", "defparameter", "defconstant", "defclass"),
        *("defstruct", "define-condition", "deftype", "define-symbol-macro", "defglobal", "defmethod"),
    )
)
"""The operators of forms that define what they name, and do nothing else."""


class AuditedCode:
    """A part of the code of an index."""

    def __init__(
        self, index: Reading, part: NamedPart, *, exported: bool, catalog: Reading | None = None
    ) -> None:
        """``exported``: exported names may be unused; a ``catalog`` tells which of them others use."""
        self.index, self.part = index, part
        self.exported = exported or catalog is not None
        self.files = PartCode(index, part).files
        self.releases = ReleasesThatUse(index, catalog, self.files) if catalog is not None else None
        self._texts: dict[int, str] = {}
        self._lexemes: dict[int, list[Lexeme]] = {}
        rows = index.rows(sql.DEFINITIONS, files=json.dumps(sorted(self.files)))
        self.definitions = [AuditedRow._make(row) for row in rows]
        if part.kind == "package":
            self.definitions = [row for row in self.definitions if row.package == part.name]

    @cached_property
    def packages(self) -> dict[int, PackagePlaceRow]:
        """The packages that the code defines, with their places."""
        rows = self.index.rows(sql.PLACES_OF_PACKAGES, files=json.dumps(sorted(self.files)))
        found = {row.package: row for row in map(PackagePlaceRow._make, rows)}
        if self.part.kind != PACKAGE:
            return found
        return {number: row for number, row in found.items() if number == self.part.number}

    @cached_property
    def systems(self) -> frozenset[int]:
        """The systems that are audited as a whole."""
        if self.part.kind not in (PROJECT, SYSTEM):
            return frozenset()
        rows = self.index.rows(sql.SYSTEMS_OF_FILES, files=json.dumps(sorted(self.files)))
        return frozenset(one for (one,) in rows)

    def is_exported(self, symbol: int) -> bool:
        """Whether any package exports a symbol."""
        return bool(self.index.rows(EXPORTED, symbol=symbol)[0][0])

    @cached_property
    def uses(self) -> dict[int, list[UsedRow]]:
        """The uses of the symbols that are defined here."""
        return self.uses_of(row.symbol for row in self.definitions)

    def uses_of(self, symbols: Iterable[int]) -> dict[int, list[UsedRow]]:
        """The uses of symbols."""
        found: defaultdict[int, list[UsedRow]] = defaultdict(list)
        numbers = json.dumps(sorted(set(symbols)))
        for row in map(UsedRow._make, self.index.rows(sql.USED, symbols=numbers)):
            found[row.symbol].append(row)
        return found

    def needing(self, row: AuditedRow) -> Iterator[UsedRow]:
        """The uses that need a definition, except those by the same name."""
        for use in self.uses.get(row.symbol, ()):
            # To declare something to be of a type is to use the type.
            is_type = use.relation == "declares" and row.documentation_type == "TYPE"
            if (use.relation in NO_USES and not is_type) or use.by == row.symbol:
                continue
            meant = RELATIONS[use.relation].refers_to
            is_meant = row.operator == use.operator and (row.documentation_type or "FUNCTION") in meant
            if is_meant or (use.relation in _DATA and use.operator is None):
                yield use

    def is_made_by_class(self, row: AuditedRow) -> bool:
        """Whether a definition is that of a function which the form of a class makes."""
        return row.documentation_type == "FUNCTION" and row.defined_by in _OF_CLASSES

    def is_on_lines(self, row: AuditedRow, line: int | None) -> bool:
        """Whether a line of its file is one of those that the form of a definition is on."""
        if line is None or row.line is None or row.end is None:
            return False
        return row.line <= line <= TextLines(self._text(row.file)).place(row.end)[0]

    def counts(self, row: AuditedRow) -> bool:
        """Whether to examine a definition: not if releases use it, or if it counts as used by its export."""
        return (self.exported or not row.exported) and row.symbol not in self.needed

    @cached_property
    def needed(self) -> dict[int, set[int]]:
        """The symbols that are defined here and that releases in the catalog use, with these releases."""
        return self.needed_of(row.symbol for row in self.definitions)

    def needed_of(self, symbols: Iterable[int]) -> dict[int, set[int]]:
        """The same of any symbols."""
        return self.releases.users(symbols) if self.releases is not None else {}

    def others_may_use(self, symbols: Iterable[int]) -> set[int]:
        """Those of ``symbols`` that count as used by others: what is exported, or what releases use."""
        if self.exported:
            return set(self.needed_of(symbols))
        return {one for one in symbols if self.is_exported(one)}

    @cached_property
    def making_names(self) -> frozenset[int]:
        """The files whose code makes names at run time."""
        return frozenset(one for (one,) in self.index.rows(sql.MAKING_NAMES))

    def uncertain(self, row: AuditedRow) -> str | None:
        """What makes it uncertain that a definition has no use."""
        if row.name in _LOOKED_UP:
            return f"{_LOOKED_UP[row.name]} looks it up by its name"
        if row.file in self.making_names:
            return MAKES_NAMES
        if row.defined_by is not None and row.defined_by not in STANDARD_DEFINERS:
            return f"it is defined by {row.defined_by}, which may also use it"
        return None

    def in_text(self, row: AuditedRow) -> str | None:
        """Where else the code has the name of a definition: as a local name, or in what a feature hides."""
        own = [(one.file, one.start or 0, one.end or 0) for one in self._of_symbol[row.symbol]]
        pattern = f"%{_escaped(row.name.lower())}%"
        files = self.index.rows(sql.FILES_WITH, files=json.dumps(sorted(self.files)), pattern=pattern)
        for file, path in files:
            lines = TextLines(self._text(file))
            for one in self._symbols(file):
                inside = any(file == at and start <= one.start < end for at, start, end in own)
                if not inside and self.index.upcase(one.text.rpartition(":")[2]) == row.name:
                    where = f"line {lines.place(one.start)[0]}"
                    if file != row.file:
                        where = f"{where} of {self.index.local_path(path)}"
                    return (
                        f"{where} contains the name, as a local name or in code that this SBCL does not read"
                    )
        return None

    @cached_property
    def _of_symbol(self) -> dict[int, list[AuditedRow]]:
        """The definitions by their symbols: those of a generic function have its methods."""
        found: defaultdict[int, list[AuditedRow]] = defaultdict(list)
        for row in self.definitions:
            found[row.symbol].append(row)
        return found

    def _text(self, file: int) -> str:
        if file not in self._texts:
            lines = self.index.rows(SOURCE_TEXT, file=file)
            self._texts[file] = "\n".join(text for (text,) in lines)
        return self._texts[file]

    def _symbols(self, file: int) -> list[Lexeme]:
        """The symbols in the text of a file."""
        if file not in self._lexemes:
            self._lexemes[file] = [one for one in lexemes(self._text(file)) if one.kind == "symbol"]
        return self._lexemes[file]

    @cached_property
    def system_definitions(self) -> frozenset[int]:
        """The files that define systems."""
        return frozenset(file for (file,) in self.index.rows(sql.SYSTEM_DEFINITIONS))

    @cached_property
    def passes_lists_of_initargs(self) -> bool:
        """Whether the code passes MAKE-INSTANCE on, so that its arguments may come from anywhere."""
        files = json.dumps(sorted(self.files))
        return bool(self.index.rows(sql.MAKE_INSTANCE_PASSED_ON, files=files))

    @cached_property
    def looked_up(self) -> frozenset[str]:
        """The names that the project and the definitions of systems look up, or start a program with.

        So are the functions that control strings name: ``~/shop:price/``.
        """
        index = self.index
        files = PartCode(index, NamedPart(PROJECT, PROJECT, None)).files | self.files
        systems = self.system_definitions
        lines = index.rows(sql.LINES_WITH_DIRECTIVES, files=json.dumps(sorted(files)))
        named = (index.upcase(name) for (text,) in lines for name in functions_in_directives(text))
        return frozenset(
            name
            for file in (files & self.making_names) | systems
            for name in looked_up(self._text(file), index.upcase, is_system=file in systems)
        ).union(named)

    def written(self, symbol: int, operator: str | None = None) -> str:
        """A symbol as one types it."""
        (row,) = self.index.rows(classes_sql.CLASS_SYMBOL, symbol=symbol)
        return SymbolRow(*row).written(self.index, operator)

    def finding(self, sort: str, row: AuditedRow, why: str, uncertain: str | None = None) -> AuditFinding:
        """A finding about a definition."""
        written = self.written(row.symbol, row.operator)
        path = self.index.local_path(row.path)
        return AuditFinding(sort, written, row.kind, why, uncertain, path, row.line, row.column)


def _escaped(name: str) -> str:
    """A name for LIKE with the escape character ``!``."""
    return name.replace("!", "!!").replace("%", "!%").replace("_", "!_")
