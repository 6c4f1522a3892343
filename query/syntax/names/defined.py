"""The name in a defining form."""

from __future__ import annotations

from ..nodes import Atom, Node

_OPERATORS = ("setf", "sb-ext:cas")
_WITH_A_NAME = ("(", "'", "?")


def defined_name(node: Node) -> tuple[Atom | None, str]:
    """The atom that names a definition in the second element of its form, and SETF, say, if it stands there.

    It is the element itself, the function in ``(setf function)``, or what begins a list: ``(name options)``.
    """
    operator = ""
    while not isinstance(node, Atom):
        items = node.items
        if not items or node.kind not in _WITH_A_NAME:
            return None, ""
        if len(items) > 1 and node.kind == "(" and items[0].text.lower() in _OPERATORS:
            node, operator = items[1], items[0].text.upper()
        else:
            node = items[0]
    return node, operator
