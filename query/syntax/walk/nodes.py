"""The nodes that the walk takes apart: what the reader has read, with each token's symbol looked up."""

from __future__ import annotations

from typing import NamedTuple

from ..designators import string_value
from ..nodes import Atom, Form
from ..nodes import Node as Read
from ..tokens import KEYWORD as KEYWORDS
from ..tokens import Tokens
from .meanings import LISP, NO_FACTS, Facts, Meanings, Named

SYMBOL, KEYWORD, UNINTERNED, STRING, ATOM = "symbol", "keyword", "uninterned", "string", "atom"
LIST, QUOTE, FUNCTION, BACKQUOTE, COMMA = "list", "quote", "function", "backquote", "comma"
READ_TIME, DATA, UNKNOWN = "read-time", "data", "unknown"
HOLE = "hole"  # what is evaluated in a template, while that is walked as the code that it will be

_KINDS = {
    **{"(": LIST, "'": QUOTE, "#'": FUNCTION, "`": BACKQUOTE, ",": COMMA, "#.": READ_TIME},
    **dict.fromkeys(("#(", "#s", "#a", "#c", "#p"), DATA),
}
_UNDECIDED = "?"
# Lists nested deeper are data: each level takes several levels of Python's stack.
_MOST_NESTED = 60
# Packages whose symbols the walk tells by name, besides the standard's and keywords.
_TOLD = ("SB-EXT", "SB-INT", "UIOP/PACKAGE")


class Unfit(Exception):  # noqa: N818 - no error: the form is just something else
    """The arguments of a standard operator do not fit it, so the list is part of something else."""


class _Name(NamedTuple):
    """What a token names in the current package."""

    kind: str
    value: Named | None
    symbol: Named | None
    word: str
    name: str | None
    facts: Facts


class Node:
    """An object in the text.

    ``value`` is the symbol that it names, ``symbol`` is the same but None for NIL, which is mostly an empty
    list. ``word`` tells the standard's symbols and keywords by name: ``DEFUN``, ``:TEST``. ``name`` is the
    name that it designates as a symbol of any kind.
    """

    __slots__ = ("end", "facts", "items", "kind", "name", "seen", "start", "symbol", "text", "value", "word")

    def __init__(self, kind: str, start: int, end: int, items: list[Node]) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.items = items
        self.text = ""
        self.value: Named | None = None
        self.symbol: Named | None = None
        self.word = ""
        self.name: str | None = None
        self.facts = NO_FACTS
        self.seen = False


_NO_ITEMS: list[Node] = []


class Nodes:
    """Makes nodes of what was read in one package."""

    def __init__(self, package: str, meanings: Meanings, tokens: Tokens) -> None:
        self.package = package
        self._meanings = meanings
        self._tokens = tokens
        self._names: dict[str, _Name] = {}

    def node(self, read: Read, depth: int = 0) -> Node:
        """Return the node of an object."""
        if isinstance(read, Atom):
            return self._atom(read)
        if read.kind == _UNDECIDED and read.items:
            return self.node(read.items[0], depth)
        kind = _KINDS.get(read.kind, UNKNOWN)
        if depth >= _MOST_NESTED:
            return Node(DATA, read.start, read.end, self._atoms(read))
        items: list[Node] = []
        made = Node(kind, read.start, read.end, items)
        after_dot = False
        for item in read.items:
            if isinstance(item, Atom):
                if item.text == ".":
                    after_dot = True
                else:
                    items.append(self._atom(item))
            elif after_dot and item.kind == "(":  # its elements are elements of the list around it
                items.extend(self.node(item, depth).items)
            else:
                items.append(self.node(item, depth + 1))
        if not items and kind not in (LIST, DATA, UNKNOWN):
            made.kind = ATOM  # a quoted dot
        return made

    def _atoms(self, form: Form) -> list[Node]:
        """Return the nodes of all atoms in a form."""
        found: list[Node] = []
        rest: list[Read] = [form]
        while rest:
            one = rest.pop()
            if isinstance(one, Form):
                rest += one.items
            else:
                found.append(self._atom(one))
        return found

    def _atom(self, atom: Atom) -> Node:
        text = atom.text
        found = self._names.get(text)
        if found is None:
            found = self._names[text] = self._named(text)
        start = atom.start
        node = Node(found.kind, start, start + len(text), _NO_ITEMS)
        node.text = text
        _, node.value, node.symbol, node.word, node.name, node.facts = found
        return node

    def _named(self, text: str) -> _Name:
        if text[0] == '"':
            return _Name(STRING, None, None, "", string_value(text), NO_FACTS)
        if text.startswith("#:"):
            token = self._tokens.symbol(text[2:]) if text[2:] else None
            return _Name(UNINTERNED, None, None, "", token.name if token else None, NO_FACTS)
        if text[0] == "#":
            return _Name(ATOM, None, None, "", None, NO_FACTS)
        kind = KEYWORD if text[0] == ":" else SYMBOL
        token = self._tokens.symbol(text)
        if token is None:
            return _Name(kind, None, None, "", None, NO_FACTS)
        value = self._meanings.symbol(token, self.package)
        if value is None:
            value = Named(token.package or self.package, token.name, None)
        facts = NO_FACTS if value.number is None else self._meanings.facts(value)
        is_nil = value.name == "NIL" and value.package == LISP
        return _Name(
            kind, value, None if is_nil else value, "" if is_nil else _word(value), token.name, facts
        )


def _word(symbol: Named) -> str:
    """Return what tells a symbol of the standard, a keyword, and few others; empty for the rest."""
    if symbol.package == LISP:
        return symbol.name
    if symbol.package == KEYWORDS:
        return f":{symbol.name}"
    return f"{symbol.package}:{symbol.name}" if symbol.package in _TOLD else ""


def items_of(node: Node | None) -> list[Node]:
    """Return the elements of a list or the object after a prefix; none for an atom."""
    if node is None:
        raise Unfit
    return node.items


def first_of(node: Node | None) -> Node | None:
    """Return the first element of a list; None for an atom or an empty list."""
    return node.items[0] if node is not None and node.items else None


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
        raise Unfit


def pairs(nodes: list[Node]) -> list[tuple[Node, Node | None]]:
    """Return the nodes in twos: keys and values, or places and what they are set to."""
    return [(nodes[at], part(nodes, at + 1)) for at in range(0, len(nodes), 2)]
