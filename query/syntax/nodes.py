"""The reader's output: atoms and forms, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from .names.meanings import NO_FACTS, Symbol, SymbolFacts
from .names.naming import NOTHING

_NO_ITEMS: list[Node] = []


class Atom:
    """A symbol, number, string or character as written in the text, and its offset, from 0."""

    __slots__ = ("named", "start", "text")

    items: ClassVar[list[Node]] = _NO_ITEMS

    def __init__(self, start: int, text: str) -> None:
        self.start = start
        self.text = text
        self.named = NOTHING
        """What it names, once a walk has looked it up (walk/nodes.py)."""

    def __repr__(self) -> str:
        return self.text

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.start + len(self.text)

    @property
    def kind(self) -> str:
        """What sort of atom it is: a symbol, a keyword, a string, and so on."""
        return self.named.kind

    @property
    def value(self) -> Symbol | None:
        """The symbol that it names."""
        return self.named.value

    @property
    def symbol(self) -> Symbol | None:
        """The same, but None for NIL, which is mostly an empty list."""
        return self.named.symbol

    @property
    def word(self) -> str:
        """What tells the standard's symbols and keywords: ``DEFUN``, ``:TEST``; empty for most others."""
        return self.named.word

    @property
    def name(self) -> str | None:
        """The name that it designates as a symbol of any kind, or as a string."""
        return self.named.name

    @property
    def facts(self) -> SymbolFacts:
        """What is known of its symbol."""
        return self.named.facts


class Form:
    """A list, or an object with a prefix, and its extent in the text.

    ``kind`` is ``(`` for a list, else the prefix in lower case and without its number: ``'``, a
    backquote, ``,`` (also for ``,@`` and ``,.``), ``#'``, ``#(``, ``#.``, ``#s`` and so on. ``?`` holds
    the form of a conditional whose feature cannot be decided here. A list after a dot is part of the list
    around it; with any other object there, the list is ``dotted``, and that object is its last item.
    """

    __slots__ = ("dotted", "end", "items", "kind", "start", "wants")

    # A form names nothing.
    text: ClassVar[str] = ""
    value: ClassVar[None] = None
    symbol: ClassVar[None] = None
    word: ClassVar[str] = ""
    name: ClassVar[None] = None
    facts: ClassVar[SymbolFacts] = NO_FACTS

    def __init__(self, kind: str, start: int, wants: int = 0) -> None:
        self.kind = kind
        self.start = start
        self.end = start
        self.items: list[Node] = []
        self.wants = wants
        """The number of objects that a prefix takes; 0 for a list, which ends at its closing parenthesis."""
        self.dotted = False

    def __repr__(self) -> str:
        shown = list(map(repr, self.items))
        if self.dotted:
            shown.insert(-1, ".")
        inner = " ".join(shown)
        return f"{self.kind}{inner})" if self.kind.endswith("(") else f"{self.kind}{inner}"

    def take_dot(self) -> None:
        """Take the object after the dot, which is the last but one item, for what it is (CLHS 2.3.3)."""
        last = self.items.pop()
        self.items.pop()
        if isinstance(last, Form) and last.kind == "(":
            self.items += last.items
            self.dotted = last.dotted
        else:
            self.items.append(last)
            self.dotted = True


Node = Atom | Form


def forms_in(node: Node) -> Iterator[Form]:
    """Yield a form and all forms in it, in no certain order."""
    rest = [node]
    while rest:
        one = rest.pop()
        if isinstance(one, Form):
            yield one
            rest += one.items


class Toplevel:
    """A toplevel form, with the parts that the checker looks at first.

    ``qualified`` are the symbols with a package prefix, ``definers`` the lists whose first element
    begins with ``def``; both leave out whatever a conditional hides. ``whole`` is false if the text could
    not be read to the form's end: its symbols up to there are certain, its structure is not. It is also
    false for a form with brackets as in custom syntax, which is ``closed`` nevertheless. ``standard`` is
    false for a form with custom reader syntax, whose names may not be what they seem.
    """

    __slots__ = ("closed", "definers", "node", "qualified", "standard", "whole")

    def __init__(self, node: Node, qualified: list[Atom], definers: list[Form], whole: bool) -> None:
        self.node = node
        self.qualified = qualified
        self.definers = definers
        self.whole = whole
        self.standard = True
        self.closed = True

    def move(self, by: int) -> None:
        """Make all offsets count from another place."""
        if not by:
            return
        rest: list[Node] = [self.node, *self.qualified, *self.definers]
        met = set()
        while rest:
            node = rest.pop()
            if id(node) in met:
                continue
            met.add(id(node))
            node.start += by
            if isinstance(node, Form):
                node.end += by
                rest += node.items


class Fault(NamedTuple):
    """A construct that never ends, or a parenthesis that closes nothing."""

    start: int
    kind: str
    """The construct that begins there: the kind of a form, ``"``, ``|`` or ``#|``; or ``)``."""
    margin: int | None = None
    """For a form: the start of the first form inside it that begins a line, and so may not belong to it."""

    def moved(self, by: int) -> Fault:
        """The fault in a text that has moved."""
        return Fault(self.start + by, self.kind, None if self.margin is None else self.margin + by)


class Faults:
    """The faults that the reader found in a text."""

    def __init__(self) -> None:
        self.found: list[Fault] = []
        self.strange: list[int] = []
        """Where the syntax is not the standard's."""
        self.open_from: int | None = None
        """The first place that is read by all the text after it: a quote in it may end something."""

    @property
    def certain(self) -> bool:
        """Whether the syntax is otherwise standard: a custom readtable may redefine parentheses too."""
        return not self.strange

    def add(self, others: Faults, start: int, end: int, moved: int) -> None:
        """Add the faults between two offsets of a text that has moved since."""
        self.found += [one.moved(moved) for one in others.found if start <= one.start < end]
        self.strange += [one + moved for one in others.strange if start <= one < end]
