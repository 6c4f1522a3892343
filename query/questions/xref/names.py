"""The two sides of a reference, named as people write them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...index.reading import Reading
from ...index.written import own_name, written
from ...syntax.lexemes import lower_symbols
from . import sql

_TOPLEVEL = "toplevel form"
_STANDARD = "COMMON-LISP"  # its names need no package to be understood
# Which documentation type the definition has that a relation refers to.
_REFERRED = {
    "calls": ("FUNCTION",),
    "macroexpands": ("FUNCTION", "COMPILER-MACRO"),
    "references": ("VARIABLE",),
    "sets": ("VARIABLE",),
    "binds": ("VARIABLE",),
    "specializes": ("TYPE",),
}


class Caller(NamedTuple):
    """Who uses a symbol: its name as one writes it, and what it is a definition of."""

    name: str
    package: str | None
    kind: str | None
    symbol: int | None = None
    operator: str | None = None


class Callee(NamedTuple):
    """What is used, as one writes it, and what it may be."""

    package: str | None
    written: str
    kinds: list[tuple[Any, ...]]
    operator: str | None

    def kind(self, relation: str | None) -> str | None:
        """The kind of the definition that ``relation`` refers to; None when there is none."""
        wanted = _REFERRED[relation] if relation else ("FUNCTION", "VARIABLE", "TYPE")
        for documentation_type in wanted:
            for kind, operator, carried in self.kinds:
                if carried == documentation_type and operator == self.operator:
                    return str(kind)
        return None


class Names:
    """The callers and callees of one answer, each looked up once."""

    def __init__(self, index: Reading) -> None:
        self._index = index
        self._callers: dict[int, Caller] = {}
        self._callees: dict[tuple[int, str | None], Callee] = {}

    def caller(self, definition: int | None, code: str | None) -> Caller:
        """The caller that a definition is; or code that belongs to none, by SBCL's name for it."""
        if definition is None:
            return Caller(code or _TOPLEVEL, None, None)
        if definition not in self._callers:
            self._callers[definition] = self._read_caller(definition, code)
        return self._callers[definition]

    def _read_caller(self, definition: int, code: str | None) -> Caller:
        rows = self._index.rows(sql.CALLER, definition=definition)
        if not rows:
            return Caller(code or _TOPLEVEL, None, None)
        kind, operator, qualifiers, specializers, carried, symbol, name, home, status = rows[0]
        package = self._index.package_names[home] if home is not None else None
        form = self._written(name, package, status, operator)
        if carried != "FUNCTION":
            told_apart = [lower_symbols(part) for part in (qualifiers, specializers) if part]
            form = f"({' '.join([kind, form, *told_apart])})"
        return Caller(form, package, kind, symbol, operator)

    def callee(self, symbol: int, operator: str | None) -> Callee:
        """What is used: the symbol, or its setf function when ``operator`` is SETF."""
        key = symbol, operator
        if key not in self._callees:
            self._callees[key] = self._read_callee(symbol, operator)
        return self._callees[key]

    def _read_callee(self, symbol: int, operator: str | None) -> Callee:
        name, home, status = self._index.rows(sql.CALLEE, symbol=symbol)[0]
        package = self._index.package_names[home] if home is not None else None
        kinds = self._index.rows(sql.KINDS_OF_SYMBOL, symbol=symbol)
        return Callee(package, self._written(name, package, status, operator), kinds, operator or None)

    def _written(self, name: str, package: str | None, status: str | None, operator: str | None) -> str:
        if package == _STANDARD and status == "external":
            return own_name(name, self._index.upcase, operator)
        return written(self._index, name, package, status, operator)
