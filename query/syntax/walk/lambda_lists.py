"""Lambda lists (CLHS 3.4), whose variables are bound from left to right, and what has one."""

from __future__ import annotations

from ..lambda_list import BODY, KEY, REQUIRED, REST, WITH_A_VARIABLE
from ..names.meanings import Symbol
from .forms import NAMES, NOT_SPECIAL, Walk, declared_special, is_lambda_keyword
from .nodes import KEYWORD, LIST, QUOTE, SYMBOL, Node, UnfitArguments, is_list, part

_REST = (REST, BODY, *WITH_A_VARIABLE)


class LambdaLists:
    """Binds the variables of one lambda list.

    If ``destructuring``, a required parameter may be a lambda list again; if ``specialized``, it may have a
    specializer. ``special`` are the variables that the body declares special.
    """

    def __init__(
        self,
        walk: Walk,
        special: frozenset[Symbol],
        *,
        destructuring: bool = False,
        specialized: bool = False,
    ) -> None:
        self._walk = walk
        self._special = special
        self._destructuring = destructuring
        self._specialized = specialized

    def bind(self, node: Node) -> None:
        """Walk a lambda list and bind its variables."""
        section = REQUIRED
        for child in node.items if node.kind == LIST else [node]:
            if child.kind == SYMBOL and is_lambda_keyword(child):
                self._walk.note(child, NAMES)
                section = child.word
            elif child.kind != LIST:
                self._walk.bind_variable(child, self._special)
            elif section == REQUIRED:
                self._bind_required(child)
            elif section in _REST:
                self._bind_inner(child)
            else:
                self._bind_optional(child, keyword=section == KEY)

    def _bind_required(self, node: Node) -> None:
        if self._specialized:
            self._bind_specialized(node)
        else:
            self._bind_inner(node)

    def _bind_inner(self, node: Node) -> None:
        """Bind a lambda list in a lambda list; where none is allowed, its meaning is unknown."""
        if self._destructuring:
            self._bind_destructured(node)
        else:
            self._walk.uncertain([node])

    def _bind_destructured(self, node: Node) -> None:
        LambdaLists(self._walk, self._special, destructuring=True).bind(node)

    def _bind_optional(self, node: Node, *, keyword: bool) -> None:
        """Walk a parameter (VAR INIT SUPPLIED), or a ``keyword`` one: ((KEYWORD VAR) INIT SUPPLIED)."""
        variable, init, supplied = part(node.items, 0), part(node.items, 1), part(node.items, 2)
        if init is not None:
            self._walk.walk(init)
        if variable is not None and variable.kind == LIST:
            if keyword:
                self._bind_with_keyword(variable)
            else:
                self._bind_destructured(variable)
        elif variable is not None:
            self._walk.bind_variable(variable, self._special)
        if supplied is not None:
            self._walk.bind_variable(supplied, self._special)

    def _bind_with_keyword(self, node: Node) -> None:
        name, pattern = part(node.items, 0), part(node.items, 1)
        if name is None:
            raise UnfitArguments
        if name.kind not in (KEYWORD, SYMBOL, QUOTE) or pattern is None:
            self._bind_destructured(node)
            return
        if name.kind == SYMBOL:
            self._walk.note(name, NAMES)
        if self._destructuring:
            self._bind_destructured(pattern)
        else:
            self._walk.bind_variable(pattern, self._special)

    def _bind_specialized(self, node: Node) -> None:
        """Walk a parameter (VAR CLASS) or (VAR (EQL FORM)) of a method."""
        variable, specializer = part(node.items, 0), part(node.items, 1)
        if specializer is not None and specializer.kind == LIST:
            self._walk.note(part(specializer.items, 0), NAMES)
            self._walk.forms(specializer.items[1:])
        else:
            self._walk.note(specializer, "specializes")
        self._walk.bind_variable(variable if variable is not None else node, self._special)


def bind_lambda_list(walk: Walk, node: Node, special: frozenset[Symbol] = NOT_SPECIAL) -> None:
    """Walk an ordinary lambda list and bind its variables."""
    LambdaLists(walk, special).bind(node)


def bind_destructuring(walk: Walk, node: Node, special: frozenset[Symbol] = NOT_SPECIAL) -> None:
    """Walk the lambda list of DESTRUCTURING-BIND or a macro, and bind its variables."""
    LambdaLists(walk, special, destructuring=True).bind(node)


def function(
    walk: Walk, node: Node, body: list[Node], *, destructuring: bool = False, specialized: bool = False
) -> None:
    """Walk a lambda list and the body that it belongs to."""
    mark, special = walk.mark(), declared_special(body)
    LambdaLists(walk, special, destructuring=destructuring, specialized=specialized).bind(node)
    walk.body(body)
    walk.leave(mark)


def method(walk: Walk, nodes: list[Node]) -> None:
    """Walk the qualifiers, the lambda list and the body of a method."""
    for position, node in enumerate(nodes):
        if is_list(node):
            function(walk, node, nodes[position + 1 :], specialized=True)
            return
        walk.datum(node)
