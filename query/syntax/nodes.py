"""The reader's output: atoms and forms, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Atom:
    """A symbol, number, string or character as written in the text, and its offset, from 0."""

    __slots__ = ("start", "text")

    def __init__(self, start: int, text: str) -> None:
        self.start = start
        self.text = text

    def __repr__(self) -> str:
        return self.text


class Form:
    """A list, or an object with a prefix, and its extent in the text.

    ``kind`` is ``(`` for a list, else the prefix in lower case and without its number: ``'``, a
    backquote, ``,`` (also for ``,@`` and ``,.``), ``#'``, ``#(``, ``#.``, ``#s`` and so on. ``?`` holds
    the form of a conditional whose feature cannot be decided here.
    """

    __slots__ = ("end", "items", "kind", "start", "wants")

    def __init__(self, kind: str, start: int, wants: int = 0) -> None:
        self.kind = kind
        self.start = start
        self.end = start
        self.items: list[Node] = []
        self.wants = wants
        """The number of objects that a prefix takes; 0 for a list, which ends at its parenthesis."""

    def __repr__(self) -> str:
        inner = " ".join(map(repr, self.items))
        return f"{self.kind}{inner})" if self.kind.endswith("(") else f"{self.kind}{inner}"


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


class Fault(NamedTuple):
    """A construct that never ends, or a parenthesis that closes nothing."""

    start: int
    kind: str
    """The construct that begins there: the kind of a form, ``"``, ``|`` or ``#|``; or ``)``."""
    margin: int | None = None
    """For a form: the start of the first form inside it that begins a line, and so may not belong to it."""


class Faults:
    """The faults that the reader found in a text."""

    def __init__(self) -> None:
        self.found: list[Fault] = []
        self.certain = True
        """Whether the syntax is otherwise standard: a custom readtable may redefine parentheses too."""
