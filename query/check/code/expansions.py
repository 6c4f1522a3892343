"""What the index knows of the arguments of macros: which of them are evaluated as they are."""

from __future__ import annotations

from ...index.reading import Reading
from ...syntax.features import Features
from ...syntax.tokens import Tokens
from .. import sql
from ..world.evaluated import Evaluated
from ..world.indexed import indexed_packages
from ..world.meanings import WorldMeanings
from ..world.operators import Operators
from ..world.packages import WorldSymbol
from .templates import Templates

_MOST_LINES = 200


class MacroExpansions:
    """Finds the arguments that macros of the index evaluate, each macro once a build."""

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

    def __call__(self, symbol: WorldSymbol) -> Evaluated | None:
        """The arguments that a macro evaluates; None if nothing is known, as of one that the files define."""
        if symbol.number is None or self._operators.is_declared(symbol):
            return None
        if symbol.number not in self._known:
            self._known[symbol.number] = None  # it may be in its own template
            self._known[symbol.number] = self._read(symbol, symbol.number)
        return self._known[symbol.number]

    def _read(self, symbol: WorldSymbol, number: int) -> Evaluated | None:
        lines = [row[0] for row in self._index.rows(sql.MACRO_TEXT, symbol=number, most=_MOST_LINES)]
        return self._templates.evaluated("\n".join(lines), symbol.home) if lines else None
