"""The forms that the compiler called in the indexed definitions of what a form defines.

A form that is to be written has no place in a file yet. But if it defines what the index has a definition of,
it is a newer version of that, and what the compiler recorded there says which forms within macros are calls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from ...index.reading import Reading
from ...syntax.features import Features
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import Tokens
from .. import sql
from ..world.packages import LISP, World, WorldPackage, WorldSymbol
from .recorded import CallsOfFile, FormNumbers

_MOST_DEFINITIONS = 400
_MOST_READ = 6
_MOST_USES = 4000
_MOST_LINES = 1000


class CalledInDefinitions:
    """The forms of a text that the indexed definitions call, for one toplevel form after the other."""

    def __init__(self, index: Reading, world: World, tokens: Tokens, features: Features) -> None:
        self._index = index
        self._world = world
        self._tokens = tokens
        self._features = features
        self._toplevel: Node | None = None
        self._package: WorldPackage | None = None
        self._text = ""
        self._called: frozenset[int] | None = None

    def enter(self, toplevel: Node, package: WorldPackage | None, text: str) -> None:
        """Go on with a toplevel form of ``text``, which is read in ``package``."""
        self._toplevel, self._package, self._called, self._text = toplevel, package, None, text

    def has(self, form: Form) -> bool:
        """Whether the compiler recorded a call at the place of ``form`` in an indexed definition."""
        if self._called is None:
            self._called = frozenset(self._looked_up())
        return id(form) in self._called

    def _looked_up(self) -> Iterator[int]:
        if not isinstance(self._toplevel, Form):
            return
        for row in self._alike():
            calls: defaultdict[FormNumbers, set[str]] = defaultdict(set)
            for call in map(sql.CallOfSymbolRow._make, self._calls_of(row.symbol)):
                if (call.file, call.toplevel_form) == (row.file, row.toplevel_form):
                    calls[0, call.form].add(call.name)
            if calls:
                known = CallsOfFile(self._text_of(row), calls, self._tokens, self._features)
                yield from known.called_in(self._toplevel, 0)

    def _alike(self) -> list[sql.ExtentRow]:
        """The indexed definitions that the form is most likely a version of: whose first lines are alike."""
        assert self._toplevel is not None
        first = self._text[self._toplevel.start :].partition("\n")[0]

        def likeness(row: sql.ExtentRow) -> int:
            pairs = zip(first, row.first_line[row.start_column - 1 :], strict=False)
            return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

        found = sorted(self._extents(first), key=likeness, reverse=True)[:_MOST_READ]
        if found and likeness(found[0]) == len(first):
            found = [row for row in found if likeness(row) == len(first)]
        return found

    def _extents(self, first: str) -> Iterator[sql.ExtentRow]:
        """The definitions of what the form defines, or else what its macro made of the same first line."""
        symbol = self._defined()
        rows = []
        if symbol is not None and symbol.number is not None:
            rows = self._index.rows(sql.DEFINITION_EXTENTS, symbol=symbol.number, most=_MOST_DEFINITIONS)
        if not rows and (maker := self._maker()) is not None:
            rows = self._index.rows(
                sql.EXTENTS_MADE, maker=maker, first=first, uses=_MOST_USES, most=_MOST_READ
            )
        return map(sql.ExtentRow._make, rows)

    def _maker(self) -> int | None:
        """The number of the macro that the form is of, unless it is the standard's."""
        head = self._toplevel.items[0] if isinstance(self._toplevel, Form) and self._toplevel.items else None
        token = self._tokens.symbol(head.text) if isinstance(head, Atom) else None
        symbol = self._world.symbol(token, self._package) if token is not None else None
        return symbol.number if symbol is not None and symbol.home != LISP else None

    def _calls_of(self, symbol: int) -> list[tuple[Any, ...]]:
        return self._index.remembered(sql.CALLS_OF_SYMBOL, symbol=symbol)

    def _defined(self) -> WorldSymbol | None:
        """The symbol that the form defines, if it is a definition."""
        node = self._toplevel
        if not isinstance(node, Form) or len(node.items) < 2:
            return None
        name = node.items[1]
        while isinstance(name, Form) and name.items:  # (setf name), (name options)
            name = name.items[-1 if name.kind == "(" and _is_setf(name.items[0]) else 0]
        token = self._tokens.symbol(name.text) if isinstance(name, Atom) else None
        return self._world.symbol(token, self._package) if token is not None else None

    def _text_of(self, row: sql.ExtentRow) -> str:
        last = min(row.end_line, row.start_line + _MOST_LINES)
        lines = self._index.rows(sql.SOME_LINES, file=row.file, first=row.start_line, last=last)
        return "\n".join(line for (line,) in lines)[row.start_column - 1 :]


def _is_setf(node: Node) -> bool:
    return isinstance(node, Atom) and node.text.lower() in ("setf", "cl:setf")
