"""The names that releases in a catalog use: others need them, whatever the index knows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from ...catalog.sql import USED_BY_OTHERS
from ...index.reading import Reading
from . import sql


class ReleasesThatUse:
    """The releases in a catalog that use names of some files of an index, and are not of their systems."""

    def __init__(self, index: Reading, catalog: Reading, files: frozenset[int]) -> None:
        self._index, self._catalog, self._files = index, catalog, files

    @cached_property
    def _own(self) -> str:
        """The names of the systems of the files, as JSON."""
        rows = self._index.rows(sql.SYSTEM_NAMES_OF_FILES, files=json.dumps(sorted(self._files)))
        return json.dumps([name for (name,) in rows])

    def users(self, symbols: Iterable[int]) -> dict[int, set[int]]:
        """The releases that use each of ``symbols`` of the index, of those that any uses."""
        names = self._index.rows(sql.NAMES_OF, symbols=json.dumps(sorted(set(symbols))))
        found: defaultdict[int, set[int]] = defaultdict(set)
        for symbol, release in self._catalog.rows(USED_BY_OTHERS, names=json.dumps(names), own=self._own):
            found[symbol].add(release)
        return found
