"""Reading an index with a memory, for servers that ask the same again and again."""

from __future__ import annotations

from typing import Any

from ..index.reading import Reading

_MOST_ROWS = 40_000


class RememberingReading(Reading):
    """A reading that answers a statement once a build; the rows must not be changed."""

    _known: dict[tuple[Any, ...], list[tuple[Any, ...]]]
    _rows = 0
    kept: dict[str, Any]
    """What was worked out of the indexed text of files, by their paths."""

    def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of ``statement``, as they were the first time."""
        key = (statement, *values.items())
        found = self._known.get(key)
        if found is None:
            found = super().rows(statement, **values)
            if self._rows > _MOST_ROWS:
                self._known.clear()
                self._rows = 0
            self._known[key] = found
            self._rows += len(found) + 1
        return found

    def _open(self) -> None:
        self._known = {}
        self._rows = 0
        self.kept = {}
        super()._open()
