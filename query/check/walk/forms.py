"""The walk through code, which finds the calls and judges them.

A form is judged if it is known to be evaluated: as an argument of a function, or a subform of the standard's
special operators and macros (CLHS 3.1.2.1.2). Inside other macros, faults are passed on with the forms that
they are in: only if the compiler called a form at that place is it one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import KEYWORD, Tokens
from ..rules.calls import deprecated
from ..rules.calls.arguments import complaint
from ..rules.definitions import undefined_function, undefined_variable, unknown_place
from ..rules.walked import WalkRule
from ..world.evaluated import Evaluated
from ..world.operators import FUNCTION, MACRO, Meaning, Operators
from ..world.packages import LISP, World, WorldPackage, WorldSymbol
from .scope import Scope

Handler = Callable[["Walker", Form, list[Node], Scope], None]
Expansions = Callable[[WorldSymbol], Evaluated | None]
"""Called with a macro that is not the standard's: which of its arguments are evaluated, if that is known."""
Report = Callable[[WalkRule, Node, str, WorldSymbol, Form | None], None]
"""Called with a rule, the node at fault, a message, the symbol, and the form in doubt; None without doubt."""


# Forms nested deeper are not judged: each level takes several levels of Python's stack.
_MOST_NESTED = 100
_TAKEN_OVER = ("DEFUN", "DEFMETHOD", "DEFGENERIC", "DEFMACRO", "DEFCLASS")


class Walker:
    """Walks the forms of one file, and passes faults to ``report``."""

    def __init__(
        self,
        world: World,
        operators: Operators,
        tokens: Tokens,
        handlers: dict[str, Handler],
        examinations: Mapping[str, Handler],
        report: Report,
        expansions: Expansions,
    ) -> None:
        self._world = world
        self._operators = operators
        self.tokens = tokens
        self._handlers = handlers
        self._examinations = examinations
        self._report = report
        self._package: WorldPackage | None = None
        self._by_package: dict[str, dict[str, WorldSymbol | None]] = {}
        self._symbols: dict[str, WorldSymbol | None] = {}
        self._expansions = expansions
        self._reached: set[int] | None = None
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

    def meaning(self, symbol: WorldSymbol) -> Meaning:
        """The meaning of a symbol."""
        return self._operators.meaning(symbol)

    def initargs(self, symbol: WorldSymbol) -> frozenset[str] | None:
        """The initargs of a class; None if it may accept any."""
        return self._operators.initargs.of(symbol)

    def tell(
        self,
        rule: WalkRule,
        node: Node,
        message: str,
        symbol: WorldSymbol,
        form: Form,
        scope: Scope,
        *,
        surely: bool = False,
    ) -> None:
        """Report a fault in ``form``; ``surely``: whatever a macro around makes of the form, it is one."""
        self._report(rule, node, message, symbol, form if scope.doubt and not surely else None)

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
            self.function_name(form, form.items[0], scope)
        elif form.kind == "`":
            self._template(form, scope)
        elif form.kind == "," and self._reached is not None and not scope.doubt:
            self._reached.add(id(form))
        self._depth -= 1

    def unquoting(self, template: Node, reached: set[int]) -> None:
        """Walk a template as an evaluated form, and add the commas that stand where a form is evaluated."""
        self._reached = reached
        self.form(template, Scope(open=True))
        self._reached = None

    def place(self, form: Form, scope: Scope, within: Form) -> None:
        """Walk a place that is a list: its subforms are evaluated, but its operator is not called.

        ``within`` is the form of the macro whose place it is.
        """
        if self._depth >= _MOST_NESTED:
            return
        self._depth += 1
        head, arguments = form.items[0], form.items[1:]
        symbol = self.symbol(head.text) if isinstance(head, Atom) else None
        if symbol is None or symbol in scope.functions or symbol in scope.macros:
            self.forms(arguments, scope)
        elif symbol.home == LISP and symbol.name in self._handlers:
            self._handlers[symbol.name](self, form, arguments, scope)
        elif (meaning := self._operators.meaning(symbol)).kind == MACRO:
            self.parts(arguments, scope)
        else:
            if unknown_place.RULE.is_broken_by(meaning):
                assert isinstance(head, Atom)
                self.tell(unknown_place.RULE, head, "", symbol, within, scope)
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
                if (examine := self._examinations.get(self.operator_name(node) or "")) is not None:
                    examine(self, node, node.items[1:], scope.within_macro())
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
                self._report(deprecated.RULE, atom, "variable", symbol, None)
        elif undefined_variable.RULE.is_broken_by(meaning):
            self._report(undefined_variable.RULE, atom, "", symbol, None)

    def function_name(self, form: Form, node: Node, scope: Scope) -> None:
        """Judge the argument of the #' or FUNCTION in ``form``: a name or a lambda expression."""
        if isinstance(node, Form):
            if self.operator_name(node) != "SETF":
                self.form(node, scope)
            return
        symbol = self.symbol(node.text)
        if symbol is not None and symbol not in scope.functions and symbol not in scope.macros:
            self._defined(form, node, symbol, self._operators.meaning(symbol), scope)

    def _defined(self, form: Form, atom: Atom, symbol: WorldSymbol, meaning: Meaning, scope: Scope) -> None:
        if undefined_function.RULE.is_broken_by(meaning):
            self.tell(undefined_function.RULE, atom, "", symbol, form, scope)
        elif meaning.kind is not None and meaning.deprecated is not None:
            self.tell(deprecated.RULE, atom, meaning.kind, symbol, form, scope)

    def _compound(self, form: Form, scope: Scope) -> None:
        """Walk a list that is evaluated."""
        head, arguments = form.items[0], form.items[1:]
        if isinstance(head, Form):
            if self.operator_name(head) == "LAMBDA":
                self.form(head, scope)
                self.forms(arguments, scope)
            elif scope.doubt:
                self.parts(form.items, scope)
            return
        symbol = self.symbol(head.text)
        if symbol is None or symbol.home == KEYWORD:
            if scope.doubt:
                self.parts(arguments, scope)
        elif symbol in scope.functions:
            self.forms(arguments, scope)
        elif symbol in scope.macros:
            self.parts(arguments, scope)
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
            return
        if meaning.kind is None:
            self._defined(form, head, symbol, meaning, scope)
        evaluated = self._expansions(symbol) if meaning.kind == MACRO and not scope.doubt else None
        if meaning.kind == MACRO and (handler := self._like_the_standards(symbol)) is not None:
            handler(self, form, arguments, scope.with_any_variable())
        elif evaluated is None:
            self.parts(arguments, scope)
        else:
            self._expanded(evaluated, arguments, scope)

    def _judged(
        self, form: Form, head: Atom, symbol: WorldSymbol, arguments: list[Node], scope: Scope
    ) -> Meaning:
        """Judge a call of a global operator, and return the operator's meaning."""
        meaning = self._operators.meaning(symbol)
        if meaning.kind is None:
            return meaning
        if meaning.deprecated is not None:
            self.tell(deprecated.RULE, head, meaning.kind, symbol, form, scope)
        if meaning.calls is not None:
            self.calls += 1
            wrong = complaint(meaning.calls, arguments, self.tokens)
            if wrong is not None:
                self.tell(wrong.rule, wrong.at or head, wrong.message, symbol, form, scope)
        if symbol.home == LISP and (examine := self._examinations.get(symbol.name)) is not None:
            examine(self, form, arguments, scope)
        return meaning

    def _like_the_standards(self, symbol: WorldSymbol) -> Handler | None:
        """The handler of the standard's defining macro of the same name: others take its place to do more."""
        return self._handlers.get(symbol.name) if symbol.name in _TAKEN_OVER else None

    def _expanded(self, evaluated: Evaluated, arguments: list[Node], scope: Scope) -> None:
        """Walk the arguments of a macro, some of which it evaluates, with variables that it may bind."""
        inner = scope.with_any_variable()
        for at, node in enumerate(arguments):
            if at in evaluated:
                if self.operator_name(node) != "DECLARE":
                    self.form(node, inner)
            elif at in evaluated.inner and isinstance(node, Form) and node.kind == "(":
                self._expanded(evaluated.inner[at], node.items, scope)
            else:
                self.parts([node], scope)

    def parts(self, nodes: Sequence[Node], scope: Scope) -> None:
        """Walk the parts of the form of a macro that is not standard: the lists among them may be forms."""
        inner = scope.within_macro()
        for node in nodes:
            if isinstance(node, Form):
                self.form(node, inner)
