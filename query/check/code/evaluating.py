"""A walk that is careful about what is evaluated, and knows more of the macros of programs.

Only what is known to be evaluated is walked as a form: neither what a conditional may hide, nor what is in a
list that does not begin with an operator. The index knows which arguments macros evaluate as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...syntax.names.meanings import FUNCTION, MACRO, Meanings
from ...syntax.nodes import Form, Node
from ...syntax.walk.forms import Walk, Walker
from ...syntax.walk.nodes import LIST, READ_TIME, heads
from ..world.evaluated import Evaluated
from ..world.packages import WorldSymbol

Expansions = Callable[[WorldSymbol], Evaluated | None]
"""Called with a macro that is not the standard's: which of its arguments are evaluated, if that is known."""
_TAKEN_OVER = ("DEFUN", "DEFMETHOD", "DEFGENERIC", "DEFMACRO", "DEFCLASS")
_NEXT_METHOD = ("CALL-NEXT-METHOD", "NEXT-METHOD-P")


class Evaluating(Walk):
    """A walk through one toplevel form, in a world of files and an index."""

    def __init__(
        self, package: str, meanings: Meanings, walkers: Mapping[str, Walker], expansions: Expansions
    ) -> None:
        super().__init__(package, meanings, walkers)
        self._expansions = expansions

    def operands(self, form: Form, head: Node, arguments: list[Node]) -> None:
        """Walk the arguments of a global operator as far as it is known to evaluate them."""
        kind, symbol = head.facts.operator, head.symbol
        if kind == FUNCTION or head.word in _NEXT_METHOD:
            self.forms(arguments)
        elif kind != MACRO or not isinstance(symbol, WorldSymbol):
            self.uncertain(arguments)
        elif symbol.name in _TAKEN_OVER:  # others take the place of the standard's macro to do more
            with self.opened():
                self.by_rule(form, arguments, self.walkers[symbol.name])
        elif self.level == 0 and (evaluated := self._expansions(symbol)) is not None:
            self._expanded(evaluated, arguments)
        else:
            self.uncertain(arguments)

    def _expanded(self, evaluated: Evaluated, arguments: list[Node]) -> None:
        """Walk the arguments of a macro, some of which it evaluates, with variables that it may bind."""
        for at, node in enumerate(arguments):
            if at in evaluated:
                if not heads(node, "DECLARE"):
                    with self.opened():
                        self.walk(node)
            elif at in evaluated.inner and node.kind == LIST:
                self._expanded(evaluated.inner[at], node.items)
            else:
                self.uncertain([node])

    def headed_by_other(self, form: Form) -> None:
        """Walk a list that begins with no operator, and is most likely no form."""
        self.uncertain(form.items)

    def undecided(self, node: Node) -> None:
        """Leave out what a conditional may hide."""

    def inserted(self, node: Node) -> None:
        """Walk what is evaluated at read time; a comma in data is part of a template that is data too."""
        if node.kind == READ_TIME:
            self.walk(node)

    def knows_places_of(self, head: Node) -> bool:
        """Whether a list with this head may be a place: any symbol may have been made to head one."""
        return head.symbol is not None

    def is_always_global(self, node: Node) -> bool:
        """Whether a variable stays global where it is bound, which does not matter: it is not undefined."""
        return False
