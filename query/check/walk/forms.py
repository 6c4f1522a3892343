"""The walk through code, which finds the calls and judges them.

A form is judged if it is known to be evaluated: as an argument of a function, or a subform of the standard's
special operators and macros (CLHS 3.1.2.1.2). Inside other macros, forms are judged with doubt (see
scope.Doubt).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import KEYWORD, Tokens
from ..rules.calls import complaint
from ..world.call_shape import CallShape
from ..world.operators import FUNCTION, MACRO, Meaning, Operators
from ..world.packages import World, WorldPackage, WorldSymbol
from .scope import Doubt, Scope

LISP = "COMMON-LISP"
Handler = Callable[["Walker", Form, list[Node], Scope], None]
Report = Callable[[str, Node, str, WorldSymbol | None, Doubt], None]


# The functions whose names head type specifiers too, with other arguments (CLHS 4.2.3).
_TYPE_SPECIFIERS = frozenset(("EQL", "MEMBER", "MOD", "COMPLEX", "FLOAT", "STRING", "VECTOR", "RATIONAL"))
# A list that begins with one of these is a form, wherever it is.
_SURELY_FORMS = frozenset(
    (
        *("LET", "LET*", "MULTIPLE-VALUE-BIND", "DESTRUCTURING-BIND", "LAMBDA", "FLET", "LABELS", "MACROLET"),
        *("DO", "DO*", "DOLIST", "DOTIMES", "COND", "CASE", "ECASE", "TYPECASE", "ETYPECASE", "WITH-SLOTS"),
        *("WITH-ACCESSORS", "HANDLER-CASE", "HANDLER-BIND", "IF", "WHEN", "UNLESS", "PROGN", "SETF", "SETQ"),
    )
)
# Macros that insert an argument into each form, as -> does: no form in them has all of its arguments.
_THREADING = re.compile(r".*[-=~]>.*|NEST|DOTO|CHAIN|PIPE|THREAD-(FIRST|LAST)")
_ANYTHING = CallShape(0, rest=True)
# Forms nested deeper are not judged: each level takes several levels of Python's stack.
_MOST_NESTED = 100


class Walker:
    """Walks the forms of one file, and passes faults to ``report``."""

    def __init__(
        self,
        world: World,
        operators: Operators,
        tokens: Tokens,
        handlers: dict[str, Handler],
        report: Report,
    ) -> None:
        self._world = world
        self._operators = operators
        self.tokens = tokens
        self._handlers = handlers
        self._report = report
        self._package: WorldPackage | None = None
        self._by_package: dict[str, dict[str, WorldSymbol | None]] = {}
        self._symbols: dict[str, WorldSymbol | None] = {}
        self.calls = 0
        """The number of calls judged."""
        self._depth = 0

    def enter(self, package: WorldPackage | None) -> None:
        """Read symbols in ``package`` from now on."""
        self._depth = 0
        self._package = package
        self._symbols = self._by_package.setdefault(package.name, {}) if package is not None else {}

    def symbol(self, text: str) -> WorldSymbol | None:
        """The symbol that an atom reads as; None for numbers, strings and unknown syntax."""
        try:
            return self._symbols[text]
        except KeyError:
            token = self.tokens.symbol(text)
            found = None if token is None else self._world.symbol(token, self._package)
            self._symbols[text] = found
            return found

    def standard(self, name: str) -> WorldSymbol:
        """The standard's symbol of that name."""
        return self._world.standard(name)

    def operator_name(self, form: Node) -> str | None:
        """The name of the standard's symbol that heads a list; None for any other form."""
        if not isinstance(form, Form) or form.kind != "(" or not form.items:
            return None
        head = form.items[0]
        symbol = self.symbol(head.text) if isinstance(head, Atom) else None
        return symbol.name if symbol is not None and symbol.home == LISP else None

    def symbols_in(self, nodes: Iterable[Node]) -> list[WorldSymbol]:
        """Every symbol in ``nodes``, at any depth."""
        found: list[WorldSymbol] = []
        rest = list(nodes)
        while rest:
            node = rest.pop()
            if isinstance(node, Form):
                rest.extend(node.items)
            elif (symbol := self.symbol(node.text)) is not None:
                found.append(symbol)
        return found

    # Forms

    def forms(self, nodes: Sequence[Node], scope: Scope) -> None:
        """Walk each of ``nodes`` as an evaluated form."""
        for node in nodes:
            if isinstance(node, Form):
                self.form(node, scope)
            else:
                self.variable(node, scope)

    def form(self, form: Node, scope: Scope) -> None:
        """Walk an evaluated form."""
        if isinstance(form, Atom):
            self.variable(form, scope)
            return
        if self._depth >= _MOST_NESTED:
            return
        self._depth += 1
        if form.kind == "(":
            if form.items:
                self._compound(form, scope)
        elif form.kind == "#'":
            self.function_name(form.items[0], scope)
        elif form.kind == "`":
            self._template(form, scope)
        self._depth -= 1

    def place(self, form: Form, scope: Scope) -> None:
        """Walk a place that is a list: its subforms are evaluated, but its operator is not called."""
        if self._depth >= _MOST_NESTED:
            return
        self._depth += 1
        head, arguments = form.items[0], form.items[1:]
        symbol = self.symbol(head.text) if isinstance(head, Atom) else None
        if symbol is None or symbol in scope.functions or symbol in scope.macros:
            self.forms(arguments, scope)
        elif symbol.home == LISP and symbol.name in self._handlers:
            self._handlers[symbol.name](self, form, arguments, scope)
        elif self._operators.meaning(symbol).kind == MACRO:
            self.doubtful(arguments, scope)
        else:
            for one in arguments:  # (getf (foo x) ..): a place within a place
                self.form(one, scope)
        self._depth -= 1

    def _template(self, form: Form, scope: Scope) -> None:
        """Walk a backquoted form, in which only the forms after commas are evaluated (CLHS 2.4.6)."""
        rest, depth = [(form.items[0], 1)], 0
        while rest:
            node, depth = rest.pop()
            if isinstance(node, Atom):
                continue
            if node.kind == ",":
                if depth == 1:
                    self.form(node.items[0], scope)
                else:
                    rest.append((node.items[0], depth - 1))
            else:
                inner = depth + (node.kind == "`")
                rest.extend((item, inner) for item in node.items)

    def variable(self, atom: Atom, scope: Scope) -> None:
        """Judge an atom that is evaluated."""
        if scope.doubt or scope.open:
            return
        text = atom.text
        symbol = self.symbol(text)
        if symbol is None or symbol.home in (KEYWORD, LISP) or symbol in scope.variables:
            return
        meaning = self._operators.meaning(symbol)
        if meaning.variable:
            if meaning.deprecated_variable is not None:
                self._report("deprecated", atom, "variable", symbol, scope.doubt)
        elif not meaning.maybe:
            self._report("undefined-variable", atom, "", symbol, scope.doubt)

    def function_name(self, node: Node, scope: Scope) -> None:
        """Judge the argument of #' or FUNCTION: a function, a setf function or a lambda expression."""
        if isinstance(node, Form):
            if self.operator_name(node) != "SETF":
                self.form(node, scope)
            return
        symbol = self.symbol(node.text)
        if symbol is not None and symbol not in scope.functions and symbol not in scope.macros:
            self._defined(node, symbol, self._operators.meaning(symbol), scope)

    def _defined(self, atom: Atom, symbol: WorldSymbol, meaning: Meaning, scope: Scope) -> None:
        if meaning.kind is None:
            if not meaning.maybe:
                self._report("undefined-function", atom, "", symbol, scope.doubt)
        elif meaning.deprecated is not None:
            self._report("deprecated", atom, meaning.kind, symbol, scope.doubt)

    def _compound(self, form: Form, scope: Scope) -> None:
        """Walk a list that is evaluated."""
        head, arguments = form.items[0], form.items[1:]
        if isinstance(head, Form):
            if self.operator_name(head) == "LAMBDA":
                self.form(head, scope)
                self.forms(arguments, scope)
            elif scope.doubt:
                self.clause(form, scope)
            return
        symbol = self.symbol(head.text)
        if symbol is None or symbol.home == KEYWORD:
            if scope.doubt:
                self.clause(form, scope)
        elif symbol in scope.functions:
            self.forms(arguments, scope)
        elif symbol in scope.macros:
            for node in arguments:
                self.clause(node, scope)
        elif symbol.home == LISP and (handler := self._handlers.get(symbol.name)) is not None:
            self._judged(form, head, symbol, arguments, scope)
            handler(self, form, arguments, scope)
        else:
            self._global_call(form, head, symbol, arguments, scope)

    def _global_call(
        self, form: Form, head: Atom, symbol: WorldSymbol, arguments: list[Node], scope: Scope
    ) -> None:
        meaning = self._judged(form, head, symbol, arguments, scope)
        if meaning.kind == FUNCTION:
            self.forms(arguments, scope)
        elif meaning.kind == MACRO:
            self._macro_form(symbol, meaning.calls, arguments, scope)
        else:
            if meaning.kind is None:
                self._defined(head, symbol, meaning, scope)
            for node in arguments:
                self.clause(node, scope)

    def _judged(
        self, form: Form, head: Atom, symbol: WorldSymbol, arguments: list[Node], scope: Scope
    ) -> Meaning:
        """Judge a call of a global operator, and return the operator's meaning."""
        meaning = self._operators.meaning(symbol)
        if meaning.kind is None:
            return meaning
        if meaning.deprecated is not None:
            self._report("deprecated", head, meaning.kind, symbol, scope.doubt)
        if scope.doubt and symbol.home == LISP and _may_be_a_type(symbol.name, arguments):
            return meaning
        if meaning.calls is not None:
            self.calls += 1
            wrong = complaint(meaning.calls, arguments, self.tokens)
            if wrong is not None:
                self._report(wrong.rule, wrong.at or head, wrong.message, symbol, scope.doubt)
        return meaning

    def _macro_form(
        self, symbol: WorldSymbol, shape: CallShape | None, arguments: list[Node], scope: Scope
    ) -> None:
        """Walk the form of a macro that is not standard: its body, and its other arguments."""
        if _THREADING.fullmatch(symbol.name):
            for node in arguments:
                self.clause(node, scope)
            return
        shape = shape or _ANYTHING
        body = len(arguments) if shape.body is None else shape.body
        others = arguments[:body]
        if not symbol.name.startswith("DEF"):  # slots, parameters and options do not begin with an operator
            for at, node in enumerate(others):
                if at in shape.lists or (at >= shape.positional and shape.lists_follow):
                    self.clause(node, scope)
                else:
                    self.doubtful([node], scope)
        inner = scope.within_macro(self.symbols_in(others), Doubt.BODY)
        for node in arguments[body:]:
            if shape.lists_follow:
                self.clause(node, inner)
            else:
                self.form(node, inner)

    def clause(self, node: Node, scope: Scope) -> None:
        """Walk a list that is not a form, such as ``(variable form)``, but may have forms after its head."""
        if not isinstance(node, Form) or node.kind != "(" or not node.items:
            return
        head, rest = node.items[0], node.items[1:]
        if self.operator_name(node) in _SURELY_FORMS:
            self.form(node, scope.within_macro((), Doubt.ARGUMENT))
            return
        if isinstance(head, Form):  # bindings or clauses
            if self._depth < _MOST_NESTED:
                self._depth += 1
                for item in node.items:
                    self.clause(item, scope)
                self._depth -= 1
            return
        if head.text[0] == ":":  # an option, (:method ((x class) ..) ..): a lambda list or name comes first
            at_list = next((at for at, one in enumerate(rest) if isinstance(one, Form)), len(rest))
            rest = rest[at_list + 1 :]
        self.doubtful(rest, scope)

    def doubtful(self, nodes: Sequence[Node], scope: Scope) -> None:
        """Walk lists that may be code, since they begin with the name of a function."""
        if not any(isinstance(node, Form) for node in nodes):
            return
        names = [symbol for node in nodes if isinstance(node, Atom) and (symbol := self.symbol(node.text))]
        inner = scope.within_macro(names, Doubt.ARGUMENT)
        for node in nodes:
            if isinstance(node, Form):
                self.form(node, inner)


def _may_be_a_type(name: str, arguments: list[Node]) -> bool:
    """Whether a list may be a type specifier, whose arguments are neither quoted nor functions."""
    if name == "FUNCTION":
        return True
    quoted = any(isinstance(one, Form) and one.kind in ("'", "#'") for one in arguments)
    return name in _TYPE_SPECIFIERS and not quoted
