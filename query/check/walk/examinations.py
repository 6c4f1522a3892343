"""What the standard's functions and macros say about their arguments beyond their lambda lists."""

from __future__ import annotations

from collections.abc import Callable

from ...index.written import typed_name
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import KEYWORD
from ..rules.calls import wrong_number_of_arguments
from ..rules.calls.arguments import countable, keyword_name
from ..rules.calls.control_strings import control_complaint
from ..rules.definitions import unknown_class, unknown_initarg
from ..world.packages import WorldSymbol
from .forms import Walker
from .handlers import listed
from .scope import Scope

Examination = Callable[[Walker, Form, list[Node], Scope], None]


def _quoted(walker: Walker, node: Node) -> tuple[Atom, WorldSymbol] | None:
    """The symbol in ``'symbol``."""
    if not isinstance(node, Form):
        return None
    quoted = (
        node.items if node.kind == "'" else node.items[1:] if walker.operator_name(node) == "QUOTE" else []
    )
    if len(quoted) == 1 and isinstance(atom := quoted[0], Atom):
        symbol = walker.symbol(atom.text)
        if symbol is not None and symbol.home != KEYWORD:
            return atom, symbol
    return None


def _make_instance(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """MAKE-INSTANCE and MAKE-CONDITION: the class exists and accepts the initargs (CLHS 7.1.2)."""
    named = _quoted(walker, arguments[0]) if arguments else None
    if named is None:
        return
    atom, symbol = named
    _class(walker, form, atom, symbol, scope)
    pairs = arguments[1:]
    if not countable(pairs):
        return
    keys = [(key, keyword_name(key, walker.tokens)) for key in pairs[::2]]
    if any(name in (None, "ALLOW-OTHER-KEYS") for _, name in keys):
        return
    if len(pairs) % 2 and isinstance(head := form.items[0], Atom) and (maker := walker.symbol(head.text)):
        rule = wrong_number_of_arguments.RULE
        walker.tell(rule, pairs[-1], "an initarg has no value", maker, form, scope)
    accepted = walker.initargs(symbol)
    for key, name in keys if accepted is not None else []:
        if isinstance(key, Atom) and name is not None and accepted is not None and name not in accepted:
            written = typed_name(name, KEYWORD, walker.tokens.cased, external=True)
            walker.tell(unknown_initarg.RULE, key, written, symbol, form, scope)


def _class(walker: Walker, form: Form, atom: Atom, symbol: WorldSymbol, scope: Scope) -> None:
    if unknown_class.RULE.is_broken_by(walker.meaning(symbol)):
        walker.tell(unknown_class.RULE, atom, "", symbol, form, scope)


def _defmethod(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """DEFMETHOD: the classes that parameters specialize on exist."""
    parameters = next((one for one in arguments[1:] if isinstance(one, Form)), None)
    for one in parameters.items if parameters is not None and parameters.kind == "(" else []:
        if isinstance(one, Atom):
            if one.text.startswith("&"):
                return
        elif one.kind == "(" and len(one.items) == 2 and isinstance(specializer := one.items[1], Atom):
            symbol = walker.symbol(specializer.text)
            if symbol is not None:
                _class(walker, form, specializer, symbol, scope)


def _control(
    walker: Walker,
    form: Form,
    control: Node,
    given: list[Node] | None,
    scope: Scope,
    *,
    all_used: bool = True,
) -> None:
    """A control string with its arguments, if these are known."""
    if not isinstance(control, Atom) or control.text[0] != '"':
        return
    number = len(given) if given is not None and countable(given) else None
    wrong = control_complaint(control, number, all_used=all_used)
    if wrong is not None:
        walker.tell(
            wrong.rule,
            wrong.at or control,
            wrong.message,
            walker.standard("FORMAT"),
            form,
            scope,
            surely=wrong.sure,
        )


def _format(at: int) -> Examination:
    """FORMAT and functions like it: the control string, at position ``at``, takes the arguments after it."""

    def examine(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
        if len(arguments) > at and countable(arguments[: at + 1]):
            _control(walker, form, arguments[at], arguments[at + 1 :], scope)

    return examine


def _formatter(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """FORMATTER: nobody knows the arguments."""
    for control in arguments[:1]:
        _control(walker, form, control, None, scope)


def _condition(at: int) -> Examination:
    """ERROR and functions like it: at position ``at``, a control string or the name of a condition."""
    string = _format(at)

    def examine(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
        if not countable(arguments[: at + 1]):
            return
        string(walker, form, arguments, scope)
        _make_instance(walker, form, arguments[at:], scope)
        _simple_condition(walker, form, arguments[at + 1 :], scope)

    return examine


def _simple_condition(walker: Walker, form: Form, pairs: list[Node], scope: Scope) -> None:
    """``:format-control "..." :format-arguments (list ...)``."""
    if not countable(pairs):
        return
    values = {
        keyword_name(key, walker.tokens): value for key, value in zip(pairs[::2], pairs[1::2], strict=False)
    }
    control, given = values.get("FORMAT-CONTROL"), values.get("FORMAT-ARGUMENTS")
    if control is None:
        return
    if given is None:
        _control(walker, form, control, [], scope)
    elif isinstance(given, Form) and walker.operator_name(given) == "LIST":
        _control(walker, form, control, given.items[1:], scope)


def _make_condition(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    _make_instance(walker, form, arguments, scope)
    _simple_condition(walker, form, arguments[1:], scope)


def _cerror(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """CERROR: two control strings for the same arguments, of which the first need not use all."""
    if arguments and countable(arguments[:2]):
        _control(walker, form, arguments[0], arguments[2:], scope, all_used=False)
    _condition(1)(walker, form, arguments, scope)


def _with_simple_restart(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    header = listed(arguments[0]) if arguments else []
    _format(1)(walker, form, header, scope)


EXAMINATIONS: dict[str, Examination] = {
    "MAKE-INSTANCE": _make_instance,
    "MAKE-CONDITION": _make_condition,
    "DEFMETHOD": _defmethod,
    "FORMAT": _format(1),
    "FORMATTER": _formatter,
    "CERROR": _cerror,
    "ASSERT": _condition(2),
    "WITH-SIMPLE-RESTART": _with_simple_restart,
    **dict.fromkeys(("ERROR", "WARN", "SIGNAL"), _condition(0)),
    **dict.fromkeys(("BREAK", "Y-OR-N-P", "YES-OR-NO-P"), _format(0)),
}
"""By the name of the standard's operator."""
