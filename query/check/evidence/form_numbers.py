"""The numbers that SBCL gives to the lists in a toplevel form (SBCL, src/compiler/ir1tran.lisp:
SUB-FIND-SOURCE-PATHS).

Lists count from 0 in the order in which they are read. Since SBCL 2.5.11, those in quoted lists count, too,
and so do commas.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...syntax.nodes import Atom, Form, Node

Path = tuple[int, ...]
"""The way to a form: the position in each list, from the toplevel form on."""

_QUOTES = ("quote", "cl:quote")
_LISTS = frozenset({"(", "'", "#'", "`"})


class Numbered(NamedTuple):
    """A list in a toplevel form: its number, and the way to it."""

    number: int
    form: Form
    path: Path


def numbered(root: Node, *, quoted: bool, read_time: int = 0) -> Iterator[Numbered]:
    """Yield the lists of a toplevel form in the order of their numbers.

    ``quoted`` is whether commas and lists within quoted ones have numbers; ``read_time`` is the number of
    lists in the value of each ``#.form``, which is unknown here.
    """
    stack: list[tuple[Node, Path]] = [(root, ())]
    number = 0
    while stack:
        node, path = stack.pop()
        while isinstance(node, Form) and node.kind in (",", "?") and node.items:
            number += quoted and node.kind == ","
            node, path = node.items[0], (*path, 0)
        if isinstance(node, Atom) or not node.items:
            continue
        if node.kind == "#.":
            number += read_time
        elif node.kind in _LISTS:
            yield Numbered(number, node, path)
            number += 1
            last = len(node.items) if quoted else _last_numbered(node)
            stack.extend((node.items[at], (*path, at)) for at in range(last - 1, -1, -1))


def _last_numbered(form: Form) -> int:
    """How many elements of a list SBCL looks at: those up to the one that follows QUOTE, without it."""
    if form.kind == "'":
        return 0
    for at, one in enumerate(form.items):
        if isinstance(one, Atom) and one.text.lower() in _QUOTES:
            return at + 1
    return len(form.items)


def at_path(root: Node, path: Path) -> Node | None:
    """The node at ``path`` in a toplevel form, if there is one."""
    node = root
    for at in path:
        if isinstance(node, Atom) or at >= len(node.items):
            return None
        node = node.items[at]
    return node
