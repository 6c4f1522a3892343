"""Judges what a walk through code tells: calls, names of functions, variables, places, classes.

Inside macros that are not standard, faults are passed on with the forms that they are in: only if the
compiler called a form at that place is it one.
"""

from __future__ import annotations

from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import KEYWORD
from ..rules.calls import deprecated
from ..rules.calls.arguments import complaint
from ..rules.definitions import undefined_function, undefined_variable, unknown_place
from ..world.operators import MACRO, SymbolMeaning
from ..world.packages import LISP, WorldSymbol
from .examinations import EXAMINATIONS
from .telling import Judges, Telling


class Judging(Telling):
    """Judges one toplevel form."""

    def __init__(self, package: str, judges: Judges) -> None:
        super().__init__(package, judges)
        self.judged = 0
        """The number of calls judged."""

    def calls(self, form: Form, head: Node, arguments: list[Node]) -> None:
        """Judge a call of a global operator."""
        symbol = head.symbol
        if not isinstance(symbol, WorldSymbol) or symbol.home == KEYWORD:
            return
        if not self.template:
            self._judge_call(form, head, symbol, arguments)
        if symbol.home == LISP and not form.dotted and (examine := EXAMINATIONS.get(symbol.name)) is not None:
            examine(self, form, arguments)

    def _judge_call(self, form: Form, head: Node, symbol: WorldSymbol, arguments: list[Node]) -> None:
        meaning = self.meaning(symbol)
        if meaning.kind is None:
            if head.word not in self.walkers:
                self._named(head, symbol, meaning, form)
            return
        if meaning.deprecated is not None:
            self.tell(deprecated.RULE, head, meaning.kind, symbol, form)
        if meaning.calls is not None:
            self.judged += 1
            wrong = None if form.dotted else complaint(meaning.calls, arguments, self.tokens)
            if wrong is not None:
                self.tell(wrong.rule, wrong.at or head, wrong.message, symbol, form)

    def names_function(self, node: Node, form: Node) -> None:
        """Judge the name of a function."""
        symbol = node.symbol
        if isinstance(symbol, WorldSymbol) and not self.template:
            self._named(node, symbol, self.meaning(symbol), form)

    def _named(self, node: Node, symbol: WorldSymbol, meaning: SymbolMeaning, form: Node) -> None:
        if undefined_function.RULE.is_broken_by(meaning):
            self.tell(undefined_function.RULE, node, "", symbol, form)
        elif meaning.kind is not None and meaning.deprecated is not None:
            self.tell(deprecated.RULE, node, meaning.kind, symbol, form)

    def evaluates(self, node: Node) -> None:
        """Judge a symbol that is evaluated, and is bound nowhere around it."""
        symbol = node.symbol
        if self.level or self.open or self.template or not isinstance(symbol, WorldSymbol):
            return
        if symbol.home in (KEYWORD, LISP) or symbol in self.specials:
            return
        meaning = self.meaning(symbol)
        if meaning.variable:
            if meaning.deprecated_variable is not None:
                self.tell(deprecated.RULE, node, "variable", symbol, node)
        elif undefined_variable.RULE.is_broken_by(meaning):
            self.tell(undefined_variable.RULE, node, "", symbol, node)

    def sets(self, node: Node) -> None:
        """Judge a variable that is set, which must exist too."""
        self.evaluates(node)

    def changes(self, place: Form, form: Node) -> None:
        """Judge a place (CLHS 5.1), where a standard accessor takes the same arguments as in a call."""
        head = place.items[0]
        symbol = head.symbol
        if self.template or not isinstance(symbol, WorldSymbol) or head.word in self.walkers:
            return
        meaning = self.meaning(symbol)
        if meaning.kind == MACRO:
            return
        if unknown_place.RULE.is_broken_by(meaning):
            self.tell(unknown_place.RULE, head, "", symbol, form)
        elif symbol.home == LISP and meaning.calls is not None and not place.dotted:
            self.judged += 1
            wrong = complaint(meaning.calls, place.items[1:], self.tokens)
            if wrong is not None:
                self.tell(wrong.rule, wrong.at or head, wrong.message, symbol, place)

    def note(self, node: Node | None, relation: str, operator: str | None = None) -> None:
        """Judge the class that a parameter of a method specializes on."""
        if relation == "specializes" and isinstance(node, Atom) and isinstance(node.value, WorldSymbol):
            self.judge_class(node, node.value, self.form)
