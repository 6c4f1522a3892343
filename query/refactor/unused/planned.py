"""The plan of each deletion: its forms, or why it is not certain whatever a build says."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from ...check.audit import sql as audit_sql
from ...check.audit.answer import AuditFinding
from ...check.audit.code import MAKES_NAMES, STANDARD_DEFINERS, AuditedCode
from ...check.audit.lists.unused import unused
from ...check.audit.sql import AuditedRow
from ...syntax.nodes import Form
from ...syntax.walk.files import WalkedForm
from ..errors import RefactorError
from ..forms.found import EditableForm, editable_at
from ..forms.surroundings import whole_lines
from ..packages.defined import package_to_edit
from ..packages.unused import export_use
from ..project.texts import ProjectText, ProjectTexts
from . import sql
from .deletion import DeletedExtent, DeletedName, Deletion
from .making import NameMakers
from .named import NamedElsewhere
from .sql import DefinedHereRow, DefinitionOfRow

_FUNCTION = "FUNCTION"
_WITH_FUNCTION = (_FUNCTION, "COMPILER-MACRO", None)  # a method has no type
_DEFINING = STANDARD_DEFINERS | {"define-compiler-macro"}
_DECLARING = frozenset(("INLINE", "NOTINLINE", "MAYBE-INLINE", "SPECIAL", "FTYPE", "TYPE", "GLOBAL"))
_TYPED = ("FTYPE", "TYPE")
_SYSTEM_DEFINITION = ".asd"


class PlannedDeletions:
    """Plans the deletions of what nothing uses in some code, from the index and the texts of its project."""

    def __init__(self, project: ProjectTexts, code: AuditedCode) -> None:
        self._project, self._code = project, code
        self._index = project.index
        self._defined: dict[int, list[DefinedHereRow]] = {}
        self._makers = NameMakers(project)
        self._elsewhere = NamedElsewhere(project)

    def findings(self) -> Iterator[tuple[AuditFinding, AuditedRow]]:
        """Yield what nothing uses, by path and line, with its row."""
        rows = {(row.symbol, row.operator, row.kind, row.line): row for row in self._code.definitions}
        by_place = {self._key(row): row for row in rows.values()}
        found = sorted(unused(self._code), key=lambda one: (one.path or "", one.line or 0, one.column or 0))
        for one in found:
            yield one, by_place[one.written, one.kind or "", one.path, one.line]

    def _key(self, row: AuditedRow) -> tuple[str, str, str | None, int | None]:
        path = self._index.local_path(row.path)
        return self._code.written(row.symbol, row.operator), row.kind, path, row.line

    def plan(self, finding: AuditFinding, row: AuditedRow) -> Deletion:
        """The deletion of a definition. Raises RefactorError with the reason why it is not certain."""
        uncertain = self._code.uncertain(row)
        if uncertain is not None and uncertain != MAKES_NAMES:
            raise RefactorError(uncertain)
        forms = self._forms(row)
        names = self._names(row, forms)
        forms += self._declaimed(row.symbol)
        extents = [_extent(one) for one in forms]
        for name in sorted(names, key=lambda one: one.name):
            self._makers.refuse(name.name, extents)
            self._elsewhere.refuse(name, extents)
        lines: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for form in forms:
            lines[form.file.path].append(whole_lines(form))
        return Deletion(finding, frozenset(names), extents, dict(lines), self._exports(names))

    def _rows(self, row: AuditedRow) -> Iterator[DefinitionOfRow]:
        """Yield the definitions of the same thing: a generic function has methods, a function macros."""
        own = _WITH_FUNCTION if row.documentation_type == _FUNCTION else (row.documentation_type,)
        for one in map(DefinitionOfRow._make, self._index.rows(sql.DEFINITIONS_OF, symbol=row.symbol)):
            if one.operator == row.operator and one.documentation_type in own and one.path is not None:
                yield one

    def _forms(self, row: AuditedRow) -> list[EditableForm]:
        """The forms that define something, once each. Raises RefactorError if not all of them are forms."""
        forms: dict[tuple[str, int], EditableForm] = {}
        inner: list[tuple[ProjectText, int, str]] = []
        for file, start in map(self._place, self._rows(row)):
            around = file.form_at(start)
            found = editable_at(file, around, start) if around is not None else "is not found in its file"
            if isinstance(found, EditableForm):
                _refuse_other_operator(found)
                forms[file.path, start] = found
            else:  # a clause with a method, say, in the form of its generic function
                inner.append((file, start, found))
        for file, start, why in inner:
            if not any(one.file is file and one.start <= start < one.end for one in forms.values()):
                raise RefactorError(f"it {why}")
        if not forms:
            raise RefactorError("its location is not known")
        return [*forms.values()]

    def _place(self, row: DefinitionOfRow) -> tuple[ProjectText, int]:
        """Where a definition begins, in a file that is as it was indexed. Raises RefactorError."""
        path = os.path.realpath(self._index.local_path(row.path) or row.path or "")
        if not self._project.is_inside(path):
            raise RefactorError(f"it is also defined in {path}, outside {self._project.folder}")
        if path.endswith(_SYSTEM_DEFINITION):
            raise RefactorError("it is in a system definition file, whose names ASDF may look up")
        if not Path(path).is_file() or self._index.source_changed(row.file):
            raise RefactorError(f"{path} has changed since the index was built: build it again")
        if row.line is None:
            raise RefactorError(f"it is not known where {path} defines it")
        file = self._project.file(path)
        return file, _offset(file, row.line, row.column)

    def _names(self, row: AuditedRow, forms: Sequence[EditableForm]) -> set[DeletedName]:
        """All names that some forms define. Raises RefactorError if they define what is needed."""
        types: defaultdict[tuple[int, str | None, str, str | None], set[str]] = defaultdict(set)
        for form in forms:
            for one in self._defined_in(form):
                if (one.symbol, one.operator) != (row.symbol, row.operator):
                    self._refuse_unless_made(row, one)
                key = one.symbol, one.home, one.name, one.operator
                types[key].add(one.documentation_type or _FUNCTION)
        return {DeletedName(*key, frozenset(found)) for key, found in types.items()}

    def _refuse_unless_made(self, row: AuditedRow, one: DefinedHereRow) -> None:
        """Raise RefactorError unless a form defines something for a class, and nobody else may use it."""
        written = self._code.written(one.symbol, one.operator)
        if one.symbol != row.symbol and one.symbol not in self._functions(row.number):
            raise RefactorError(f"its form also defines {written}")
        if one.symbol in self._code.others_may_use([one.symbol]):
            raise RefactorError(f"its form also defines {written}, which is exported")

    def _functions(self, class_id: int) -> frozenset[int]:
        """The functions that the form of a class makes."""
        rows = self._index.rows(audit_sql.FUNCTIONS_OF_CLASS, class_id=class_id)
        return frozenset(one for (one,) in rows)

    def _defined_in(self, form: EditableForm) -> Iterator[DefinedHereRow]:
        file = self._files[form.file.path]
        if file not in self._defined:
            rows = self._index.rows(sql.DEFINED_IN_FILE, file=file)
            self._defined[file] = [*map(DefinedHereRow._make, rows)]
        for row in self._defined[file]:
            if form.start <= _offset(form.file, row.line, row.column) < form.end:
                yield row

    @cached_property
    def _files(self) -> Mapping[str, int]:
        """The numbers of the files with what is audited, by their paths on this machine."""
        return {
            os.path.realpath(self._index.local_path(path) or path): number
            for path, number in self._index.rows(sql.FILE_NUMBERS)
        }

    def _declaimed(self, symbol: int) -> Iterator[EditableForm]:
        """Yield the toplevel forms that declaim something of a symbol, and of nothing else."""
        for file, form, names in self._declamations:
            if names == {symbol}:
                node = form.toplevel.node
                yield EditableForm(file, node.start, node.end, form)

    @cached_property
    def _declamations(self) -> Sequence[tuple[ProjectText, WalkedForm, set[int | None]]]:
        """The toplevel forms that declaim one thing, with the numbers of the symbols that it is said of."""
        found = []
        for file in self._project.sources():
            for form in file.forms if file.has("DECLAIM") else ():
                if (names := _declaimed_names(form)) is not None:
                    found.append((file, form, names))
        return found

    def _exports(self, names: set[DeletedName]) -> frozenset[tuple[str, str]]:
        """The exports that go with names, if exported names may be unused. Raises RefactorError."""
        if not self._code.exported:
            return frozenset()
        found = set()
        for one in names:
            if one.package is None or not self._code.is_exported(one.symbol):
                continue
            here = package_to_edit(self._project, one.package)
            if one.name in here.form.exports():
                place = export_use(self._project, here, one.name)
                if place is not None:
                    raise RefactorError(f"{place.path}:{place.line} needs its export")
                found.add((one.package, one.name))
        return frozenset(found)


def _refuse_other_operator(form: EditableForm) -> None:
    """Raise RefactorError if a form may do more than define something."""
    node = form.around.toplevel.node
    whole = {node.items[0].text} if isinstance(node, Form) and node.items else set()
    for operator in {one.macro for one in form.definitions} or whole:
        name = operator.rpartition(":")[2].lower()
        if name not in _DEFINING:
            raise RefactorError(f"it is defined by {name}, which may do more than define it")


def _declaimed_names(form: WalkedForm) -> set[int | None] | None:
    """The numbers of the symbols that a DECLAIM with one specifier is about; None for any other form."""
    node = form.toplevel.node
    if not isinstance(node, Form) or len(node.items) != 2 or node.items[0].word != "DECLAIM":
        return None
    specifier = node.items[1]
    if not isinstance(specifier, Form) or not specifier.items or specifier.items[0].word not in _DECLARING:
        return None
    names = specifier.items[2 if specifier.items[0].word in _TYPED else 1 :]
    numbers = {one.start: one.symbol.number for one in form.walked.occurrences}
    return {numbers.get(one.start) for one in names}


def _extent(form: EditableForm) -> DeletedExtent:
    first, last = (form.file.lines.place(one)[0] for one in (form.start, form.end - 1))
    return DeletedExtent(form.file, form.start, form.end, first, last)


def _offset(file: ProjectText, line: int, column: int | None) -> int:
    """The offset of a place; without a column, of what comes first on the line."""
    if line > len(file.lines):
        return len(file.text)
    start = file.lines.start(line)
    if column is not None:
        return start + column - 1
    return start + len(file.text[start:]) - len(file.text[start:].lstrip())
