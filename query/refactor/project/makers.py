"""Which macros of a project make code that names a symbol: by their templates, or by calling such macros."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from ...index.reading import Reading
from . import sql

_MOST_SYMBOLS = 2_000


class Makers:
    """Macros that have a template of interest, or call what has one, and so on.

    ``templates`` are the numbers of the symbols that the forms with such templates define.
    """

    def __init__(self, index: Reading, templates: Collection[int]) -> None:
        self._index = index
        self._templates = templates

    def makes(self, macro: str) -> bool:
        """Whether the macro of a name, as SBCL prints it without a package, is one of them."""
        return self._index.fold(macro) in self._names

    @cached_property
    def _names(self) -> frozenset[str]:
        waiting, seen = [*self._templates], set(self._templates)
        names = {name for number in waiting for (name,) in self._index.rows(sql.NAME_OF, symbol=number)}
        while waiting and len(seen) < _MOST_SYMBOLS:
            for number, name in self._index.rows(sql.CALLING, symbol=waiting.pop()):
                if number not in seen:
                    seen.add(number)
                    names.add(name)
                    waiting.append(number)
        return frozenset(map(self._index.fold, names))
