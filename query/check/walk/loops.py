"""The handler for LOOP (CLHS 6.1), which tells forms from variables."""

from __future__ import annotations

from ...syntax.nodes import Atom, Form, Node
from ..world.packages import WorldSymbol
from .forms import Handler, Walker
from .handlers import atoms
from .scope import Scope

# After these words comes a variable, or a pattern of variables.
_BINDING = {"FOR", "AS", "WITH", "INTO"}
_TYPES = {"OF-TYPE"}
_NAMES = {"NAMED"}
_JOINING = {"AND"}
_AFTER_A_VARIABLE = set(
    "= IN ON ACROSS BEING FROM DOWNFROM UPFROM TO DOWNTO UPTO BELOW ABOVE BY OF-TYPE".split()  # noqa: SIM905
)
_CLAUSES = """
    USING DO DOING COLLECT COLLECTING APPEND APPENDING NCONC NCONCING SUM SUMMING COUNT COUNTING MAXIMIZE
    MAXIMIZING MINIMIZE MINIMIZING WHEN IF UNLESS ELSE END WHILE UNTIL REPEAT ALWAYS NEVER THEREIS INITIALLY
    FINALLY RETURN THEN EACH THE OF HASH-KEY HASH-KEYS HASH-VALUE HASH-VALUES SYMBOL SYMBOLS PRESENT-SYMBOL
    PRESENT-SYMBOLS EXTERNAL-SYMBOL EXTERNAL-SYMBOLS FIXNUM FLOAT T NIL IT
"""
_WORDS = {*_BINDING, *_TYPES, *_NAMES, *_JOINING, *_AFTER_A_VARIABLE, *_CLAUSES.split()}


def _loop(walker: Walker, _: Form, arguments: list[Node], scope: Scope) -> None:
    """Walk the forms: all parts that are not LOOP keywords, variables, types or names."""
    names = [_word(walker, node) for node in arguments]
    forms: list[Node] = []
    bound: list[WorldSymbol] = []
    for at, node in enumerate(arguments):
        before = names[at - 1] if at else None
        following = names[at + 1] if at + 1 < len(names) else None
        joined = before in _JOINING and (isinstance(node, Atom) or following in _AFTER_A_VARIABLE)
        if before in _BINDING or before == "USING" or joined:
            bound += atoms(walker, [node])
        elif isinstance(node, Form):
            if before not in _TYPES and not _is_type(names, at):
                forms.append(node)
        elif before not in _TYPES and before not in _NAMES and names[at] not in _WORDS:
            forms.append(node)
    walker.forms(forms, scope.with_variables(bound))


def _is_type(names: list[str | None], at: int) -> bool:
    """Whether a list is in the place of a type: ``for (a b) (fixnum fixnum) in ..``."""
    return at > 1 and names[at - 2] in _BINDING and at + 1 < len(names) and names[at + 1] in _AFTER_A_VARIABLE


def _word(walker: Walker, node: Node) -> str | None:
    """The name of a symbol or keyword: LOOP compares its keywords by name (CLHS 6.1.1.2)."""
    if isinstance(node, Form):
        return None
    symbol = walker.symbol(node.text)
    return symbol.name if symbol is not None else None


LOOP: dict[str, Handler] = {"LOOP": _loop}
