"""The forms that the compiler called in the indexed definitions of what a form defines.

A form that is to be written has no place in a file yet. But if it defines what the index has a definition of,
it is a newer version of that, and what the compiler recorded there says which forms within macros are calls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ...index.reading import Reading
from ...syntax.features import Features
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import Tokens
from .. import sql
from ..world.packages import World, WorldPackage, WorldSymbol
from .recorded import CallsOfFile

_MOST_DEFINITIONS = 400
_MOST_READ = 6
_MOST_LINES = 1000
Place = tuple[int, int]  # the numbers of a file and of a toplevel form in it


class CalledInDefinitions:
    """The forms of a text that were called in the indexed definitions, for one toplevel form after the other."""

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
        symbol = self._defined()
        if symbol is None or symbol.number is None or self._toplevel is None:
            return
        calls: defaultdict[Place, dict[Place, set[str]]] = defaultdict(dict)
        rows = self._index.rows(sql.CALLS_OF_SYMBOL, symbol=symbol.number)
        for row in map(sql.CallOfSymbolRow._make, rows):
            calls[row.file, row.toplevel_form].setdefault((0, row.form), set()).add(row.name)
        for place, text in self._texts(symbol.number, calls):
            known = CallsOfFile(text, calls[place], self._tokens, self._features)
            yield from known.called_in(self._toplevel, 0)

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

    def _texts(self, symbol: int, places: dict[Place, dict[Place, set[str]]]) -> Iterator[tuple[Place, str]]:
        """The texts of the definitions that call anything; of many, those that begin with the same line."""
        assert self._toplevel is not None
        rows = self._index.rows(sql.DEFINITION_EXTENTS, symbol=symbol, most=_MOST_DEFINITIONS)
        found = [row for row in map(sql.ExtentRow._make, rows) if (row.file, row.toplevel_form) in places]
        if len(found) > 1:
            first = self._text[self._toplevel.start :].partition("\n")[0]
            same = [row for row in found if row.first_line[row.start_column - 1 :] == first]
            found = same or found
        for row in found[:_MOST_READ]:
            lines = self._index.rows(
                sql.SOME_LINES,
                file=row.file,
                first=row.start_line,
                last=min(row.end_line, row.start_line + _MOST_LINES),
            )
            text = "\n".join(line for (line,) in lines)
            yield (row.file, row.toplevel_form), text[row.start_column - 1 :]


def _is_setf(node: Node) -> bool:
    return isinstance(node, Atom) and node.text.lower() in ("setf", "cl:setf")
