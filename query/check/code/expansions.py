"""What the index knows of the arguments of macros: which of them are evaluated unchanged."""

from __future__ import annotations

from ...index.reading import Reading
from ...syntax.features import Features
from ...syntax.tokens import Tokens
from .. import sql
from ..declare.definition_forms import MOST_LINES_OF_MACRO
from ..world.evaluated import Evaluated
from ..world.indexed import indexed_packages
from ..world.meanings import WorldMeanings
from ..world.operators import Operators
from ..world.packages import WorldSymbol
from .templates import Templates


class MacroExpansions:
    """Finds the arguments that macros of the index and the files evaluate, each macro once."""

    def __init__(
        self,
        index: Reading,
        meanings: WorldMeanings,
        operators: Operators,
        tokens: Tokens,
        features: Features,
    ) -> None:
        self._index = index
        self._operators = operators
        self._templates = Templates(meanings, tokens, features, self)
        self._known: dict[int, Evaluated | None] = indexed_packages(index).evaluated
        self._declared: dict[WorldSymbol, Evaluated | None] = {}

    def __call__(self, symbol: WorldSymbol) -> Evaluated | None:
        """The arguments that a macro evaluates; None if nothing is known."""
        if self._operators.is_declared(symbol):
            return self._of_declared(symbol)
        if symbol.number is None:
            return None
        if symbol.number not in self._known:
            self._known[symbol.number] = None  # it may be in its own template
            self._known[symbol.number] = self._read(symbol, symbol.number)
        return self._known[symbol.number]

    def _of_declared(self, symbol: WorldSymbol) -> Evaluated | None:
        """The arguments that a macro which the files define evaluates."""
        if symbol not in self._declared:
            self._declared[symbol] = None
            one = self._operators.declared_macro(symbol)
            if one is not None and one.text is not None:
                self._declared[symbol] = self._templates.evaluated(one.text, one.within)
        return self._declared[symbol]

    def _read(self, symbol: WorldSymbol, number: int) -> Evaluated | None:
        lines = [row[0] for row in self._index.rows(sql.MACRO_TEXT, symbol=number, most=MOST_LINES_OF_MACRO)]
        return self._templates.evaluated("\n".join(lines), symbol.home) if lines else None
