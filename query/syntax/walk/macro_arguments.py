"""Which arguments of a macro are evaluated as they are, without bindings that its call does not show.

The definition tells: an argument is evaluated if its parameter is only ever put into the templates that the
macro returns, at places where forms are evaluated, and where neither the template nor another argument binds
anything around it. So the body of ``with-lock`` is code like any other; that of ``with-thing (x)`` is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ..lambda_list import AUX, BODY, KEY, OPTIONAL, OTHER_KEYS, REQUIRED, REST, WITH_A_VARIABLE
from ..names.meanings import Meanings, Symbol
from ..nodes import Form
from .forms import NOT_SPECIAL, Macros, Walk, Walker, evaluated_in
from .nodes import BACKQUOTE, COMMA, HOLE, LIST, SYMBOL, Node, part
from .results import VARIABLE

_RESULT_LAST = frozenset(
    (
        *(
            "LET",
            "LET*",
            "PROGN",
            "WHEN",
            "UNLESS",
            "FLET",
            "LABELS",
            "MACROLET",
            "SYMBOL-MACROLET",
            "LOCALLY",
        ),
        *("DESTRUCTURING-BIND", "MULTIPLE-VALUE-BIND"),
    )
)
"""Operators whose last form gives their result."""
_NAMING = frozenset(("WITH-GENSYMS", "WITH-UNIQUE-NAMES", "ONCE-ONLY", "WITH-REBINDING"))
"""The same of macros in many libraries; the arguments of the latter two are evaluated, once."""
_ONCE = frozenset(("ONCE-ONLY", "WITH-REBINDING"))
_MAKING = frozenset(("GENSYM", "MAKE-SYMBOL", "MAKE-GENSYM", "GENSYMIFY"))
_SECTIONS = (OPTIONAL, REST, BODY, KEY, AUX, OTHER_KEYS)
_TO_BODY = 3


class MacroArguments:
    """The lambda list of a macro, and the parameters whose arguments are evaluated."""

    def __init__(self, parameters: Node, evaluated: Collection[Symbol]) -> None:
        self._parameters = parameters
        self._evaluated = frozenset(evaluated)

    def parts(self, arguments: list[Node]) -> Iterator[tuple[Node, bool]]:
        """Yield the arguments, those that are taken apart in their parts, and whether each is evaluated."""
        yield from self._parts(self._parameters, arguments) if self._evaluated else _none(arguments)

    def _parts(self, parameters: Node, arguments: list[Node]) -> Iterator[tuple[Node, bool]]:
        section, waiting, rest = REQUIRED, iter(parameters.items), list(arguments)
        for one in waiting:
            if one.word in WITH_A_VARIABLE:
                next(waiting, None)
            elif one.word in _SECTIONS:
                section = one.word
            elif section in (REST, BODY):
                yield from ((each, self._is_evaluated(one)) for each in rest)
                return
            elif section in (REQUIRED, OPTIONAL) and rest:
                yield from self._part(one, rest.pop(0), section)
        yield from _none(rest)

    def _part(self, parameter: Node, argument: Node, section: str) -> Iterator[tuple[Node, bool]]:
        if parameter.kind == LIST and section == OPTIONAL:
            parameter = parameter.items[0] if parameter.items else parameter
        if parameter.kind == LIST and argument.kind == LIST:
            yield from self._parts(parameter, argument.items)
        else:
            yield argument, self._is_evaluated(parameter)

    def _is_evaluated(self, parameter: Node) -> bool:
        return parameter.symbol is not None and parameter.symbol in self._evaluated


def _none(arguments: list[Node]) -> Iterator[tuple[Node, bool]]:
    return ((one, False) for one in arguments)


def macro_arguments(
    definition: Node, package: str, meanings: Meanings, walkers: Mapping[str, Walker], macros: Macros
) -> MacroArguments | None:
    """What a DEFMACRO form whose atoms have been told their names says of its arguments; None if nothing."""
    parameters = part(definition.items, 2)
    if parameters is None or parameters.kind != LIST or len(definition.items) <= _TO_BODY:
        return None
    body = definition.items[_TO_BODY:]
    names = {node.symbol for node in _symbols(parameters) if node.symbol is not None}
    fresh = {node.symbol for one in body for node in _fresh(one)} - names
    good: set[int] = set()
    for template in _results(body[-1]):
        good |= _evaluated_starts(template, fresh, Walk(package, meanings, walkers), macros)
    seen: dict[Symbol, bool] = {}
    for node in (node for one in body for node in _used(one, good)):
        if node.symbol is not None and node.symbol in names:
            seen[node.symbol] = seen.get(node.symbol, True) and node.start in good
    return MacroArguments(parameters, {symbol for symbol, is_good in seen.items() if is_good})


def _symbols(node: Node) -> Iterator[Node]:
    if node.kind == SYMBOL:
        yield node
    for one in node.items:
        yield from _symbols(one)


def _used(node: Node, good: set[int]) -> Iterator[Node]:
    """Yield the symbols in a body but for declarations; what is evaluated once is ``good``."""
    head = node.items[0] if node.kind == LIST and node.items else None
    if head is not None and head.word == "DECLARE":
        return
    if head is not None and _name(head) in _ONCE and len(node.items) > 1:
        good |= {one.start for one in _symbols(node.items[1])}
    if node.kind == SYMBOL:
        yield node
    for one in node.items:
        yield from _used(one, good)


def _fresh(node: Node) -> Iterator[Node]:
    """Yield the variables that have uninterned symbols as their values."""
    items = node.items
    head = items[0] if node.kind == LIST and items else None
    if head is not None and _name(head) in _NAMING - _ONCE and len(items) > 1:
        for one in items[1].items:
            yield one.items[0] if one.kind == LIST and one.items else one
    if head is not None and len(items) == len(("variable", "form")) and items[1].kind == LIST:
        made = items[1].items[0] if items[1].items else None
        if made is not None and _name(made) in _MAKING:
            yield head
    for one in items:
        yield from _fresh(one)


def _results(node: Node) -> Iterator[Node]:
    """Yield the templates that are the value of a form."""
    if node.kind == BACKQUOTE:
        yield node.items[0]
    elif node.kind == LIST and node.items:
        word, items = node.items[0].word, node.items
        if word in _RESULT_LAST or _name(items[0]) in _NAMING:
            yield from _results(items[-1])
        elif word == "IF":
            for one in items[2:]:
                yield from _results(one)
        elif word == "COND":
            for clause in items[1:]:
                if clause.items:
                    yield from _results(clause.items[-1])


def _name(node: Node) -> str:
    return node.symbol.name if node.symbol is not None else ""


class _Holes(Walk):
    """Walks a template as the code that it will be; tells which holes are evaluated with nothing bound."""

    def __init__(self, like: Walk, macros: Macros, binding: Collection[int]) -> None:
        """``binding`` are the starts of the holes that, if they bind anything, bind what nobody knows."""
        super().__init__(like.package, like.meanings, like.walkers)
        self.macros = macros
        self._binding = binding
        self.clean: set[int] = set()
        """The starts of the holes."""

    def walk(self, node: Node | None) -> None:
        """Walk a form, or note a hole."""
        if node is None or node.kind != HOLE:
            super().walk(node)
        elif self.certain and not (self.variables or self.functions):
            self.clean.add(node.start)

    def bind_variable(
        self, node: Node | None, special: frozenset[Symbol] = NOT_SPECIAL, kind: str = VARIABLE
    ) -> None:
        """Bind a variable; if it is a hole, what it binds is unknown."""
        if node is None or node.kind != HOLE:
            super().bind_variable(node, special, kind)
        elif node.start in self._binding:
            self.bind(self.variables, node, node.start, kind, self.form)


def _evaluated_starts(
    template: Node, fresh: Collection[Symbol | None], like: Walk, macros: Macros
) -> set[int]:
    """Where the parameters begin that are put into a template, and evaluated there."""
    hidden = [node for node in evaluated_in(template) if isinstance(node, Form)]
    kinds = [(node, node.kind, node.items) for node in hidden]
    binding = {node.start for node in hidden if node.items[0].symbol not in fresh}
    holes = _Holes(like, macros, binding)
    for node in hidden:
        node.kind, node.items = HOLE, []
    try:
        holes.walk(template)
    finally:
        for node, kind, items in kinds:
            node.kind, node.items = kind, items
    return {
        node.items[0].start
        for node, kind, _ in kinds
        if kind == COMMA and node.start in holes.clean and node.items[0].kind == SYMBOL
    }
