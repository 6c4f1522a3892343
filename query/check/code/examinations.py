"""What the standard's functions and macros require of their arguments beyond their lambda lists."""

from __future__ import annotations

from collections.abc import Callable

from ...index.written import typed_name
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import KEYWORD
from ...syntax.walk.nodes import LIST, QUOTE, heads
from ..rules.calls import wrong_number_of_arguments
from ..rules.calls.arguments import countable, keyword_name
from ..rules.calls.control_strings import control_complaint
from ..rules.definitions import unknown_initarg
from ..world.packages import WorldSymbol
from .telling import Telling

Examination = Callable[[Telling, Form, list[Node]], None]


def _quoted(node: Node) -> tuple[Atom, WorldSymbol] | None:
    """The symbol in ``'symbol``."""
    quoted = node.items if node.kind == QUOTE else node.items[1:] if heads(node, "QUOTE") else []
    if len(quoted) == 1 and isinstance(atom := quoted[0], Atom):
        symbol = atom.value
        if isinstance(symbol, WorldSymbol) and symbol.home != KEYWORD:
            return atom, symbol
    return None


def _make_instance(walk: Telling, form: Form, arguments: list[Node]) -> None:
    """MAKE-INSTANCE and MAKE-CONDITION: the class exists and accepts the initargs (CLHS 7.1.2)."""
    named = _quoted(arguments[0]) if arguments else None
    if named is None:
        return
    atom, symbol = named
    walk.judge_class(atom, symbol, form)
    pairs = arguments[1:]
    if not countable(pairs):
        return
    keys = [(key, keyword_name(key, walk.tokens)) for key in pairs[::2]]
    if any(name in (None, "ALLOW-OTHER-KEYS") for _, name in keys):
        return
    if (
        len(pairs) % 2
        and isinstance(head := form.items[0], Atom)
        and isinstance(maker := head.value, WorldSymbol)
    ):
        rule = wrong_number_of_arguments.RULE
        walk.tell(rule, pairs[-1], "an initarg has no value", maker, form)
    accepted = walk.initargs(symbol)
    for key, name in keys if accepted is not None else []:
        if isinstance(key, Atom) and name is not None and accepted is not None and name not in accepted:
            written = typed_name(name, KEYWORD, walk.tokens.cased, external=True)
            walk.tell(unknown_initarg.RULE, key, written, symbol, form)


def _control(
    walk: Telling,
    form: Form,
    control: Node,
    given: list[Node] | None,
    *,
    all_used: bool = True,
) -> None:
    """A control string with its arguments, if these are known."""
    if not isinstance(control, Atom) or control.text[0] != '"':
        return
    number = len(given) if given is not None and countable(given) else None
    wrong = control_complaint(control, number, all_used=all_used)
    if wrong is not None:
        walk.tell(
            wrong.rule,
            wrong.at or control,
            wrong.message,
            walk.standard("FORMAT"),
            form,
            surely=wrong.sure,
        )


def _format(at: int) -> Examination:
    """FORMAT and functions like it: the control string, at position ``at``, takes the arguments after it."""

    def examine(walk: Telling, form: Form, arguments: list[Node]) -> None:
        if len(arguments) > at and countable(arguments[: at + 1]):
            _control(walk, form, arguments[at], arguments[at + 1 :])

    return examine


def _formatter(walk: Telling, form: Form, arguments: list[Node]) -> None:
    """FORMATTER: the arguments are unknown."""
    for control in arguments[:1]:
        _control(walk, form, control, None)


def _condition(at: int) -> Examination:
    """ERROR and functions like it: at position ``at``, a control string or the name of a condition."""
    string = _format(at)

    def examine(walk: Telling, form: Form, arguments: list[Node]) -> None:
        if not countable(arguments[: at + 1]):
            return
        string(walk, form, arguments)
        _make_instance(walk, form, arguments[at:])
        _simple_condition(walk, form, arguments[at + 1 :])

    return examine


def _simple_condition(walk: Telling, form: Form, pairs: list[Node]) -> None:
    """``:format-control "..." :format-arguments (list ...)``."""
    if not countable(pairs):
        return
    values = {
        keyword_name(key, walk.tokens): value for key, value in zip(pairs[::2], pairs[1::2], strict=False)
    }
    control, given = values.get("FORMAT-CONTROL"), values.get("FORMAT-ARGUMENTS")
    if control is None:
        return
    if given is None:
        _control(walk, form, control, [])
    elif isinstance(given, Form) and heads(given, "LIST"):
        _control(walk, form, control, given.items[1:])


def _make_condition(walk: Telling, form: Form, arguments: list[Node]) -> None:
    _make_instance(walk, form, arguments)
    _simple_condition(walk, form, arguments[1:])


def _cerror(walk: Telling, form: Form, arguments: list[Node]) -> None:
    """CERROR: two control strings for the same arguments, of which the first need not use all."""
    if arguments and countable(arguments[:2]):
        _control(walk, form, arguments[0], arguments[2:], all_used=False)
    _condition(1)(walk, form, arguments)


def _with_simple_restart(walk: Telling, form: Form, arguments: list[Node]) -> None:
    header = arguments[0].items if arguments and arguments[0].kind == LIST else []
    _format(1)(walk, form, header)


EXAMINATIONS: dict[str, Examination] = {
    "MAKE-INSTANCE": _make_instance,
    "MAKE-CONDITION": _make_condition,
    "FORMAT": _format(1),
    "FORMATTER": _formatter,
    "CERROR": _cerror,
    "ASSERT": _condition(2),
    "WITH-SIMPLE-RESTART": _with_simple_restart,
    **dict.fromkeys(("ERROR", "WARN", "SIGNAL"), _condition(0)),
    **dict.fromkeys(("BREAK", "Y-OR-N-P", "YES-OR-NO-P"), _format(0)),
}
"""By the name of the standard's operator."""
