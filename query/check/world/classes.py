"""The initargs that making an instance of a class accepts (CLHS 7.1.2)."""

from __future__ import annotations

import json
from collections.abc import Callable

from ...index.reading import Reading
from .. import sql
from ..declare.declarations import Declarations
from .call_shape import CallShape
from .packages import WorldSymbol

# The generic functions whose methods may take further initargs.
_INITIALIZING = ("INITIALIZE-INSTANCE", "SHARED-INITIALIZE", "ALLOCATE-INSTANCE", "MAKE-INSTANCE")
# Those under which initialization follows the standard.
_METACLASSES = (
    *("STANDARD-CLASS", "FUNCALLABLE-STANDARD-CLASS", "CONDITION-CLASS"),
    *("SYSTEM-CLASS", "BUILT-IN-CLASS", "SLOT-CLASS"),
)


class Initargs:
    """Looks up the initargs of classes that the index knows, each once."""

    def __init__(
        self, index: Reading, declarations: Declarations, shape: Callable[[str | None], CallShape | None]
    ) -> None:
        """``shape`` makes the shape of calls from a lambda list."""
        self._index = index
        self._shape = shape
        self._known: dict[int, frozenset[str] | None] = {}
        # What the files say is newer, and may be about any class.
        self._written = frozenset(declarations.initargs)
        for one in declarations.definitions:
            if (
                one.kind == "method"
                and one.name in _INITIALIZING
                and (taken := shape(one.arglist)) is not None
            ):
                self._written |= taken.keywords or frozenset()

    def of(self, symbol: WorldSymbol) -> frozenset[str] | None:
        """The names of the keywords that are initargs; None if anything may be one."""
        if symbol.number is None:
            return None
        if symbol.number not in self._known:
            self._known[symbol.number] = self._looked_up(symbol.number, symbol.name)
        return self._known[symbol.number]

    def _looked_up(self, symbol: int, name: str) -> frozenset[str] | None:
        classes = self._with_superclasses(symbol)
        if classes is None:
            return None
        found = set(self._written)
        for (names,) in self._index.remembered(sql.INITARGS, symbols=json.dumps(classes)):
            words = str(names).split()
            if not all(word.startswith(":") and "|" not in word for word in words):
                return None
            found.update(word[1:] for word in words)
        for arglist, only in self._index.remembered(
            sql.INITIALIZING_METHODS, symbols=json.dumps(classes), names=json.dumps(_INITIALIZING)
        ):
            if only is not None and not only.rstrip(">").endswith(name):
                continue  # PACKAGE::NAME, or #<STANDARD-CLASS PACKAGE::NAME>
            shape = self._shape(arglist)
            if shape is None or shape.other_keywords:
                return None
            found.update(shape.keywords or ())
        return frozenset(found)

    def _with_superclasses(self, symbol: int) -> list[int] | None:
        """The class and all that it inherits from; None unless all of them are standard classes."""
        found: list[int] = []
        waiting = [symbol]
        while waiting:
            one = waiting.pop()
            if one in found:
                continue
            rows = [sql.KnownClassRow._make(row) for row in self._index.remembered(sql.CLASS, symbol=one)]
            if len(rows) != 1 or rows[0].metaclass not in _METACLASSES:
                return None
            found.append(one)
            waiting += [row[0] for row in self._index.remembered(sql.SUPERCLASSES, class_=rows[0].definition)]
        return found
