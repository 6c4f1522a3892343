"""The border of a project: a tree of callees goes no further than the project's systems."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ...index.reading import Reading
from . import sql
from .sql import OriginRow

# A symbol, and SETF for its setf function.
_Named = tuple[int, str | None]


class Border:
    """The names inside: those of the project's systems or, if ``named`` is not of these, those of its own.

    An index without systems that were asked for has no border.
    """

    def __init__(self, index: Reading, named: _Named) -> None:
        self._index = index
        self._inside = {name for (name,) in index.fixed_rows(sql.PROJECT_ORIGINS)}
        self._origins: dict[_Named, str | None] = {}
        if self._inside and (own := self._origin(named)) not in self._inside:
            self._inside = {own}

    def read(self, names: Iterable[_Named]) -> None:
        """Read the systems of the names that will be asked for, all at once."""
        if not self._inside:
            return
        if new := [one for one in dict.fromkeys(names) if one not in self._origins]:
            for row in map(OriginRow._make, self._index.rows(sql.ORIGINS, names=json.dumps(new))):
                self._origins[row.symbol, row.operator] = row.origin

    def is_inside(self, named: _Named) -> bool:
        """Whether a name is inside."""
        return not self._inside or self._origin(named) in self._inside

    def _origin(self, named: _Named) -> str | None:
        """The system that defines a name; ``sbcl`` for SBCL's own, None if it has no place."""
        self.read([named])
        return self._origins[named]
