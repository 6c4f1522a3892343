"""The names of callers and callees, as typed in Lisp."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...index.reading import Reading
from ...index.relations import RELATIONS
from ...index.written import SymbolRow, own_name
from ...syntax.printed import lower_symbols
from . import sql
from .sql import CallerRow, KindOfCalleeRow, KindRow, UseRow

_TOPLEVEL = "toplevel form"
_STANDARD = "COMMON-LISP"  # the names it exports are shown without a package
_ANY_RELATION = ("FUNCTION", "VARIABLE", "TYPE")


class Caller(NamedTuple):
    """A caller: its name as typed in Lisp, and the symbol and kind of its definition."""

    name: str
    package: str | None
    kind: str | None
    symbol: int | None = None
    operator: str | None = None


class Callee(NamedTuple):
    """A callee: its name as typed in Lisp, and the kinds of its definitions."""

    name: str
    package: str | None
    written: str
    kinds: list[KindRow]
    operator: str | None

    def kind(self, relation: str | None) -> str | None:
        """Return the kind of the definition that ``relation`` refers to; None if there is none."""
        wanted = RELATIONS[relation].refers_to if relation else _ANY_RELATION
        for documentation_type in wanted:
            for row in self.kinds:
                if row.documentation_type == documentation_type and row.operator == self.operator:
                    return row.kind
        return None


class CallerNames:
    """A cache of the callers and callees of one answer."""

    def __init__(self, index: Reading) -> None:
        self._index = index
        self._callers: dict[int, Caller] = {}
        self._callees: dict[tuple[int, str | None], Callee] = {}

    def caller(self, definition: int | None, code: str | None) -> Caller:
        """Return the caller for a definition, or for code outside definitions under SBCL's name for it."""
        if definition is None:
            return Caller(code or _TOPLEVEL, None, None)
        if definition not in self._callers:
            self.read_callers([definition])
        return self._callers.get(definition) or Caller(code or _TOPLEVEL, None, None)

    def callee(self, symbol: int, operator: str | None) -> Callee:
        """Return the callee: the symbol, or its setf function if ``operator`` is SETF."""
        if (symbol, operator) not in self._callees:
            self.read_callees([(symbol, operator)])
        return self._callees[symbol, operator]

    def read(self, uses: Sequence[UseRow]) -> None:
        """Read the callers and callees of uses, all at once."""
        self.read_callers(use.definition for use in uses if use.definition is not None)
        self.read_callees((use.callee, use.operator) for use in uses)

    def read_callers(self, definitions: Iterable[int]) -> None:
        """Read the callers that will be asked for, all at once, unless they are known."""
        new = _listed(one for one in definitions if one not in self._callers)
        for row in map(CallerRow.of, self._index.rows(sql.CALLERS, definitions=new)):
            package, form = self._written(row.symbol, row.operator)
            if row.documentation_type != "FUNCTION":
                parts = filter(None, (row.qualifiers, row.specializers))
                distinguishing = [lower_symbols(part, self._index.upcase) for part in parts]
                form = f"({' '.join([row.kind, form, *distinguishing])})"
            self._callers[row.definition] = Caller(form, package, row.kind, row.symbol.number, row.operator)

    def read_callees(self, callees: Iterable[tuple[int, str | None]]) -> None:
        """Read the callees that will be asked for, all at once, unless they are known."""
        operators: dict[int, list[str | None]] = {}
        for symbol, operator in dict.fromkeys(callees):
            if (symbol, operator) not in self._callees:
                operators.setdefault(symbol, []).append(operator)
        symbols = _listed(operators)
        kinds: dict[int, list[KindRow]] = {symbol: [] for symbol in operators}
        for row in map(KindOfCalleeRow._make, self._index.rows(sql.KINDS_OF_CALLEES, symbols=symbols)):
            kinds[row.symbol].append(KindRow(row.kind, row.operator, row.documentation_type))
        for named in map(SymbolRow._make, self._index.rows(sql.CALLEES, symbols=symbols)):
            for operator in operators[named.number]:
                package, form = self._written(named, operator)
                callee = Callee(named.name, package, form, kinds[named.number], operator or None)
                self._callees[named.number, operator] = callee

    def _written(self, symbol: SymbolRow, operator: str | None) -> tuple[str | None, str]:
        """Return a symbol's home package and the name as one types it; standard names need no package."""
        package = None if symbol.package is None else self._index.package_names[symbol.package]
        if package == _STANDARD and symbol.status == "external" and self._index.standpoint is None:
            return package, own_name(symbol.name, self._index.upcase, operator)
        return package, symbol.written(self._index, operator)


def _listed(numbers: Iterable[int]) -> str:
    return json.dumps(list(dict.fromkeys(numbers)))
