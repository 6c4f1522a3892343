"""What the standard's functions and macros say about their arguments beyond their lambda lists."""

from __future__ import annotations

from collections.abc import Callable

from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import KEYWORD
from ..rules.calls import countable, keyword_name
from ..rules.format_strings import arguments_of
from ..world.packages import WorldSymbol
from .forms import Walker
from .scope import Scope

Examination = Callable[[Walker, Form, list[Node], Scope], None]


def _quoted(walker: Walker, node: Node) -> tuple[Atom, WorldSymbol] | None:
    """The symbol in ``'symbol``."""
    if isinstance(node, Form) and node.kind == "'" and isinstance(atom := node.items[0], Atom):
        symbol = walker.symbol(atom.text)
        if symbol is not None and symbol.home != KEYWORD:
            return atom, symbol
    return None


def _make_instance(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
    """MAKE-INSTANCE: the class exists and accepts the initargs (CLHS 7.1.2)."""
    named = _quoted(walker, arguments[0]) if arguments else None
    if named is None:
        return
    atom, symbol = named
    _class(walker, form, atom, symbol, scope)
    accepted = walker.initargs(symbol)
    pairs = arguments[1:]
    if accepted is None or not countable(pairs) or len(pairs) % 2:
        return
    keys = [(key, keyword_name(key, walker.tokens)) for key in pairs[::2]]
    if any(name in (None, "ALLOW-OTHER-KEYS") for _, name in keys):
        return
    for key, name in keys:
        if isinstance(key, Atom) and name not in accepted:
            walker.tell("unknown-initarg", key, key.text.lower(), symbol, form, scope)


def _class(walker: Walker, form: Form, atom: Atom, symbol: WorldSymbol, scope: Scope) -> None:
    meaning = walker.meaning(symbol)
    if not meaning.is_class and not meaning.maybe:
        walker.tell("unknown-class", atom, "", symbol, form, scope)


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


def _format(at: int) -> Examination:
    """FORMAT and functions like it: the control string, at position ``at``, takes the arguments after it."""

    def examine(walker: Walker, form: Form, arguments: list[Node], scope: Scope) -> None:
        control = arguments[at] if len(arguments) > at else None
        if not isinstance(control, Atom) or control.text[0] != '"' or not countable(arguments):
            return
        taken, given = arguments_of(control.text), len(arguments) - at - 1
        if taken is not None and taken != given:
            said = f"the format string takes {taken}, but {given} {'is' if given == 1 else 'are'} given"
            walker.tell("format-arguments", control, said, walker.standard("FORMAT"), form, scope)

    return examine


EXAMINATIONS: dict[str, Examination] = {
    "MAKE-INSTANCE": _make_instance,
    "DEFMETHOD": _defmethod,
    "FORMAT": _format(1),
    **dict.fromkeys(("ERROR", "WARN", "BREAK", "Y-OR-N-P", "YES-OR-NO-P"), _format(0)),
}
"""By the name of the standard's operator."""
