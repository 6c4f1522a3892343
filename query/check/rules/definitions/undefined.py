"""Rules about names without the required definition; they differ in which definition is required."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...world.operators import SymbolMeaning
from ..walked import WalkFault, WalkRule


class UndefinedRule(WalkRule):
    """Reports a name that has no definition of the required sort."""

    def __init__(
        self, name: str, severity: str, module: str, said: str, fits: Callable[[SymbolMeaning], bool]
    ) -> None:
        """``said`` is the message, with ``{}`` for the name; ``fits`` tells which meanings are right."""
        super().__init__(name, severity, module, refutable=True)
        self._said = said
        self.fits = fits

    def is_broken_by(self, meaning: SymbolMeaning) -> bool:
        """Whether a name with this meaning certainly lacks the required definition."""
        return not self.fits(meaning) and not meaning.maybe

    def message(self, fault: WalkFault) -> str:
        """The message, with the file that had a definition that is gone."""
        lost = fault.operators.lost_from(fault.symbol)
        gone = f": {Path(lost).name} does not define it any more" if lost else ""
        return self._said.format(fault.name) + gone

    def suggestions(self, fault: WalkFault) -> tuple[str, ...]:
        """The similar names that have a definition of the required sort."""
        if fault.package is None:
            return ()
        return fault.nearest.names(self.name, fault.symbol, fault.package, self.fits)
