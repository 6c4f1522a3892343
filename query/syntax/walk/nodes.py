"""The nodes that the walk takes apart: what the reader has read, with each atom's name looked up."""

from __future__ import annotations

from ..names.meanings import Meanings
from ..names.naming import KEYWORD, STRING, SYMBOL, UNINTERNED, Naming, Within
from ..nodes import Atom, Form, Node
from ..tokens import Tokens

__all__ = ["KEYWORD", "STRING", "SYMBOL", "UNINTERNED", "Node"]

LIST, QUOTE, FUNCTION, BACKQUOTE, COMMA, READ_TIME = "(", "'", "#'", "`", ",", "#."
DATA = ("#(", "#s", "#a", "#c", "#p")
UNDECIDED = "?"
HOLE = "hole"  # what is evaluated in a template, while that is walked as the code that it will be

# Lists nested deeper are data: each level takes several levels of Python's stack.
_MOST_NESTED = 60
_MOST_KNOWN = 10_000


class UnfitArguments(Exception):  # noqa: N818 - no error: the form is just something else
    """The arguments of a standard operator do not fit it, so the list is part of something else."""


class AtomNames:
    """What atoms name in one package."""

    def __init__(self, package: str, meanings: Meanings, tokens: Tokens) -> None:
        self.package = package
        self.tokens = tokens
        self._within = Within(package, meanings, tokens)
        self._known: dict[str, Naming] = {}

    def tell(self, root: Node) -> None:
        """Tell all atoms in an object what they name, and flatten what is nested too deeply."""
        if isinstance(root, Atom):
            root.named = self._naming(root.text)
            return
        known, forms = self._known, [root]
        for _ in range(_MOST_NESTED):
            inner: list[Form] = []
            for form in forms:
                for item in form.items:
                    if isinstance(item, Atom):
                        item.named = known.get(item.text) or self._naming(item.text)
                    else:
                        inner.append(item)
            if not inner:
                return
            forms = inner
        for form in forms:
            form.kind, form.items = DATA[0], [*_atoms(form)]
            for item in form.items:
                self.tell(item)

    def _naming(self, text: str) -> Naming:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        naming = self._known[text] = Naming(text, self._within)
        return naming


def _atoms(form: Form) -> list[Atom]:
    """Return all atoms in a form."""
    found: list[Atom] = []
    rest: list[Node] = [form]
    while rest:
        one = rest.pop()
        if isinstance(one, Form):
            rest += one.items
        else:
            found.append(one)
    return found


def items_of(node: Node | None) -> list[Node]:
    """Return the elements of a list or the object after a prefix; none for an atom."""
    if node is None:
        raise UnfitArguments
    return node.items


def is_list(node: Node | None) -> bool:
    """Return whether a node is a list."""
    return node is not None and node.kind == LIST


def heads(node: Node, word: str) -> bool:
    """Return whether a node is a list that begins with a symbol of the standard."""
    return node.kind == LIST and bool(node.items) and node.items[0].word == word


def part(nodes: list[Node], position: int) -> Node | None:
    """Return one of the nodes; None if there are not so many."""
    return nodes[position] if len(nodes) > position else None


def fit(nodes: list[Node], least: int, most: int | None = None) -> None:
    """Refuse arguments that are too few or too many."""
    if len(nodes) < least or (most is not None and len(nodes) > most):
        raise UnfitArguments


def pairs(nodes: list[Node]) -> list[tuple[Node, Node | None]]:
    """Return the nodes in twos: keys and values, or places and what they are set to."""
    return [(nodes[at], part(nodes, at + 1)) for at in range(0, len(nodes), 2)]
