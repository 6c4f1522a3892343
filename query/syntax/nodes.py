"""What the reader makes of a text: atoms and forms, each with its place."""

from __future__ import annotations

from typing import NamedTuple


class Atom:
    """A symbol, number, string or character as it stands in the text, and where, from 0."""

    __slots__ = ("start", "text")

    def __init__(self, start: int, text: str) -> None:
        self.start = start
        self.text = text

    def __repr__(self) -> str:
        return self.text


class Form:
    """A list, or an object behind a prefix, and its extent in the text.

    ``kind`` is ``(`` for a list, else the prefix in lower case and without its number: ``'``, a
    backquote, ``,`` (also for ``,@`` and ``,.``), ``#'``, ``#(``, ``#.``, ``#s`` and so on. ``?`` holds what
    stands behind a conditional whose feature nobody here can decide.
    """

    __slots__ = ("end", "items", "kind", "start", "wants")

    def __init__(self, kind: str, start: int, wants: int = 0) -> None:
        self.kind = kind
        self.start = start
        self.end = start
        self.items: list[Node] = []
        self.wants = wants
        """How many objects a prefix takes; 0 for a list, which ends with its parenthesis."""

    def __repr__(self) -> str:
        inner = " ".join(map(repr, self.items))
        return f"{self.kind}{inner})" if self.kind.endswith("(") else f"{self.kind}{inner}"


Node = Atom | Form


class Toplevel:
    """A form at toplevel, and what the checker looks for first in it.

    ``qualified`` are the symbols with a package prefix, ``definers`` the lists whose first element
    begins with ``def``; neither has what a conditional hides. ``whole`` is false when the text could
    not be read to the form's end: its symbols up to there are certain, its structure is not. ``standard``
    is false for a form with syntax of somebody's own, in which names may be what no reader here sees.
    """

    __slots__ = ("definers", "node", "qualified", "standard", "whole")

    def __init__(self, node: Node, qualified: list[Atom], definers: list[Form], whole: bool) -> None:
        self.node = node
        self.qualified = qualified
        self.definers = definers
        self.whole = whole
        self.standard = True


class Fault(NamedTuple):
    """Something that begins and never ends, or a parenthesis that ends nothing."""

    start: int
    kind: str
    """What begins there: the kind of a form, ``"``, ``|`` or ``#|``; or the parenthesis, ``)``."""
    margin: int | None = None
    """Of a form: where the first form within it stands that begins a line, and may be none of its own."""


class Faults:
    """What the reader stumbled over in a text."""

    def __init__(self) -> None:
        self.found: list[Fault] = []
        self.certain = True
        """Whether all else is standard: a readtable of somebody's own may give parentheses a meaning too."""
