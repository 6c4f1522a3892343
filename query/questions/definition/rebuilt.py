"""Forms for classes, structures and conditions without source text, rebuilt from the index.

A rebuilt form has what ``defclass``, ``defstruct`` or ``define-condition`` was given: superclasses,
slots with their options, default initargs, documentation. It reads correctly in the class's home
package: symbols that are not accessible there get a package prefix. Types and initial forms, which the
index stores as text, appear as they were printed, without packages.
"""

from __future__ import annotations

from collections.abc import Iterator

from oblist.indexer.names import operator_name

from ...index.finding.resolve import find_symbol
from ...index.kinds import KINDS
from ...index.reading import Reading
from ...index.written import SymbolRow, printed, printed_name
from ...syntax.lexemes import lexemes
from ...syntax.printed import items
from ..classes import sql as class_sql

# This symbol replaces unreadable objects such as #<FUNCTION CAR>.
_UNREADABLE = "<unreadable>"
_READABLE_DISPATCH = ("'", "C", "P", "=")
# Defaults that a form can omit.
_UNTOLD = {"STANDARD-CLASS", "STRUCTURE-CLASS", "CONDITION-CLASS"}
_ROOT_OF_STRUCTURES = "STRUCTURE-OBJECT"

_Functions = list[tuple[str | None, str]]


def rebuilt(index: Reading, symbol: int, kind: str, home: str) -> str | None:
    """Return the form that defines the class named by ``symbol``, whose home package is ``home``.

    ``kind`` is class, structure or condition. None if the index does not have the parts of the class.
    """
    for row in map(class_sql.ClassRow.of, index.rows(class_sql.CLASS, symbol=symbol)):
        if row.kind == kind:
            names = _Names(index, home)
            above = [
                names.written(SymbolRow(*one)) for one in index.rows(class_sql.SUPERCLASSES, class_id=row.id)
            ]
            slots = list(_slots(index, names, row.id, kind))
            documentation = _text(row.documentation) if row.documentation else None
            if kind == "structure":
                options = _structure_options(names, symbol, above, row)
                return _form(f"defstruct {options}", [documentation, *slots] if documentation else slots)
            parts = [f"({_lines(slots, 3)})", *_default_initargs(index, row.id)]
            if documentation:
                parts.append(f"(:documentation {documentation})")
            if row.metaclass and names.shown(row.metaclass).rpartition(":")[2] not in _UNTOLD:
                parts.append(f"(:metaclass {names.shown(row.metaclass)})")
            return _form(f"{KINDS[kind].definer} {names.shown(symbol)} ({' '.join(above)})", parts)
    return None


class _Names:
    """Symbols as the printer shows them in one package."""

    def __init__(self, index: Reading, package: str) -> None:
        self._index = index
        self._package = index.package_numbers[package]

    def shown(self, symbol: int) -> str:
        """Return the name of this symbol, with a package prefix if the bare name would mean another."""
        return self.written(self.row(symbol))

    def row(self, symbol: int) -> SymbolRow:
        """Return the row of the symbol with this number."""
        (row,) = self._index.rows(class_sql.CLASS_SYMBOL, symbol=symbol)
        return SymbolRow(*row)

    def written(self, symbol: SymbolRow) -> str:
        """Return the symbol's name, with a package prefix if the bare name would mean another symbol."""
        index = self._index
        found = find_symbol(index, self._package, symbol.name)
        if found is not None and found.number == symbol.number:
            return printed_name(symbol.name, index.upcase)
        home = None if symbol.package is None else index.package_names[symbol.package]
        return printed(index, symbol.name, home, symbol.status)


def _form(head: str, parts: list[str]) -> str:
    return f"({_lines([head, *parts], 2)})"


def _lines(parts: list[str], indentation: int) -> str:
    return f"\n{' ' * indentation}".join(parts)


def _structure_options(names: _Names, symbol: int, above: list[str], row: class_sql.ClassRow) -> str:
    """Return the name of a structure, with its options if it has any."""
    options = [f"(:include {one})" for one in above if one.rpartition(":")[2] != _ROOT_OF_STRUCTURES]
    if row.representation:
        options.append(f"(:type {row.representation.lower()})")
    prefix = row.accessor_prefix
    if prefix != f"{names.row(symbol).name}-":
        options.append(f"(:conc-name {_text(prefix) if prefix else 'nil'})")
    shown = names.shown(symbol)
    return f"({' '.join([shown, *options])})" if options else shown


def _default_initargs(index: Reading, class_id: int) -> Iterator[str]:
    initargs = index.rows(class_sql.DEFAULT_INITARGS, class_id=class_id)
    if initargs:
        pairs = " ".join(f"{initarg} {_readable(form)}" for initarg, form in initargs)
        yield f"(:default-initargs {pairs})"


def _slots(index: Reading, names: _Names, class_id: int, kind: str) -> Iterator[str]:
    functions: dict[int, _Functions] = {}
    if kind != "structure":  # a structure's accessors follow from its prefix
        for one in map(class_sql.AccessorRow.of, index.rows(class_sql.SLOT_ACCESSORS, class_id=class_id)):
            function = names.written(one.symbol)
            functions.setdefault(one.slot, []).append(
                (one.role, operator_name("setf", function) if one.operator else function)
            )
    for slot in (class_sql.SlotRow(*row) for row in index.rows(class_sql.SLOTS, class_id=class_id)):
        form = None if slot.initform is None else _readable(slot.initform)
        options = [f":type {_readable(slot.type)}"] if slot.type else []
        if kind == "structure":
            options += [":read-only t"] if slot.read_only else []
            options = [form or "nil", *options] if form or options else []
        else:
            given = [f":initarg {initarg}" for initarg in items(f"({slot.initargs or ''})")]
            given += [f":initform {form}"] if form else []
            options = [*given, *_functions(functions.get(slot.position, [])), *options]
            options += [f":allocation :{slot.allocation}"] if slot.allocation != "instance" else []
        if slot.documentation:
            options.append(f":documentation {_text(slot.documentation)}")
        shown = printed(index, slot.name, None, None) if slot.symbol is None else names.shown(slot.symbol)
        yield f"({' '.join([shown, *options])})" if options else shown


def _functions(accessors: _Functions) -> Iterator[str]:
    """Return the options for a slot's functions; a reader and its setf function make an accessor."""
    readers = [name for role, name in accessors if role == "reader"]
    writers = [name for role, name in accessors if role == "writer"]
    both = [name for name in readers if f"(setf {name})" in writers]
    yield from (f":accessor {name}" for name in both)
    yield from (f":reader {name}" for name in readers if name not in both)
    yield from (f":writer {name}" for name in writers if name not in [f"(setf {one})" for one in both])


def _text(text: str) -> str:
    """Return ``text`` as a Lisp string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _readable(form: str) -> str:
    """Return ``form``, or the placeholder if its printed form cannot be read back."""
    for lexeme in lexemes(form):
        dispatch = lexeme.text.lstrip("#0123456789")
        prefix = lexeme.kind == "quote" and lexeme.text[0] == "#"
        if lexeme.kind == "stray" or (prefix and dispatch not in _READABLE_DISPATCH):
            return _UNREADABLE
    return form
