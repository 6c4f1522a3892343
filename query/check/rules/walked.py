"""Rules about forms: the walk finds their faults, and they say what is wrong and what may be meant."""

from __future__ import annotations

from typing import NamedTuple

from ...syntax.nodes import Node
from ..world.operators import Operators
from ..world.packages import WorldPackage, WorldSymbol
from .described import Rule
from .nearest import Nearest


class WalkFault(NamedTuple):
    """A fault at ``node``, about ``symbol``: what it names, or the operator or class of what it stands in.

    ``detail`` is what the walk says of it, and ``package`` the package of the text.
    """

    node: Node
    detail: str
    symbol: WorldSymbol
    package: WorldPackage | None
    operators: Operators
    nearest: Nearest

    @property
    def name(self) -> str:
        """The name of the symbol as one types it, without its package."""
        return self.nearest.written(self.symbol.name)


class WalkRule(Rule):
    """A rule about forms; unless a subclass says more, the message is what the walk says."""

    def message(self, fault: WalkFault) -> str:
        """What is wrong."""
        return fault.detail

    def suggestions(self, fault: WalkFault) -> tuple[str, ...]:
        """The names to write instead of ``fault.node``."""
        return ()
