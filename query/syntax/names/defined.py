"""The name in a defining form."""

from __future__ import annotations

from ..nodes import Atom, Node

OPERATORS = {"SETF": "SETF", "SB-EXT:CAS": "CAS"}
"""The first elements of function names that are lists, as in ``(setf foo)``, each with its operator."""
_WITH_A_NAME = ("(", "'", "?")


def defined_name(node: Node, *, told: bool = False) -> tuple[Atom | None, str]:
    """The atom that names a definition in the second element of its form, and SETF, say, if it stands there.

    It is the element itself, the function in ``(setf function)``, or what begins a list: ``(name options)``.
    ``told`` is whether the atoms have been told what they name; else they are taken as they are written.
    """
    operator = ""
    while not isinstance(node, Atom):
        items = node.items
        if not items or node.kind not in _WITH_A_NAME:
            return None, ""
        head = items[0].word if told else items[0].text.upper()
        if len(items) > 1 and node.kind == "(" and head in OPERATORS:
            node, operator = items[1], OPERATORS[head]
        else:
            node = items[0]
    return node, operator
