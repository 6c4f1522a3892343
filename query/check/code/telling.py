"""A walk that reports faults, and what those who find them ask about symbols."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import Tokens
from ...syntax.walk.files import WALKERS
from ..rules.definitions import unknown_class
from ..rules.walked import WalkRule
from ..world.meanings import WorldMeanings
from ..world.operators import Operators, SymbolMeaning
from ..world.packages import World, WorldSymbol
from .evaluating import Evaluating, Expansions

ReportFault = Callable[[WalkRule, Node, str, WorldSymbol, Form | None], None]
"""Called with a rule, the node at fault, a message, the symbol, and the form in doubt; None without doubt."""


@dataclass(frozen=True, slots=True)
class Judges:
    """What all walks of one check know."""

    world: World
    operators: Operators
    meanings: WorldMeanings
    tokens: Tokens
    expansions: Expansions
    report: ReportFault


class Telling(Evaluating):
    """A walk through one toplevel form that tells its faults."""

    def __init__(self, package: str, judges: Judges) -> None:
        super().__init__(package, judges.meanings, WALKERS, judges.expansions)
        self._judges = judges

    @property
    def tokens(self) -> Tokens:
        """The parser of tokens."""
        return self._judges.tokens

    def meaning(self, symbol: WorldSymbol) -> SymbolMeaning:
        """The meaning of a symbol."""
        return self._judges.operators.meaning(symbol)

    def initargs(self, symbol: WorldSymbol) -> frozenset[str] | None:
        """The initargs of a class; None if it may accept any."""
        return self._judges.operators.initargs.of(symbol)

    def standard(self, name: str) -> WorldSymbol:
        """The standard's symbol of that name."""
        return self._judges.world.standard(name)

    def tell(
        self,
        rule: WalkRule,
        node: Node,
        message: str,
        symbol: WorldSymbol,
        form: Node,
        *,
        surely: bool = False,
    ) -> None:
        """Report a fault in ``form``; ``surely``: it is one whatever a macro around makes of the form."""
        doubtful = (self.level > 0 or self.template) and not surely
        self._judges.report(
            rule, node, message, symbol, form if doubtful and isinstance(form, Form) else None
        )

    def judge_class(self, atom: Atom, symbol: WorldSymbol, form: Node) -> None:
        """Judge the name of a class."""
        if unknown_class.RULE.is_broken_by(self.meaning(symbol)):
            self.tell(unknown_class.RULE, atom, "", symbol, form)
