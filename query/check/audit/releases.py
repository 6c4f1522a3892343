"""The names that releases in a catalog use: others need them, whatever the index knows."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ...catalog.sql import USED_BY_OTHERS
from ...index.reading import Reading
from . import sql


class ReleasesThatUse:
    """The releases in a catalog that use names of an index."""

    def __init__(self, index: Reading, catalog: Reading) -> None:
        """The names are of ``index``; releases of its own systems in ``catalog`` do not count."""
        self.index, self.catalog = index, catalog
        self.using: set[int] = set()
        """Those that use any of the names that were asked for."""

    def needed(self, symbols: Iterable[int], systems: Iterable[int]) -> frozenset[int]:
        """Those of ``symbols`` that releases use which define none of ``systems``; both are of the index."""
        names = self.index.rows(sql.NAMES_OF, symbols=json.dumps(sorted(set(symbols))))
        own = self.index.rows(sql.NAMES_OF_SYSTEMS, systems=json.dumps(sorted(set(systems))))
        rows = self.catalog.rows(
            USED_BY_OTHERS, names=json.dumps(names), own=json.dumps([name for (name,) in own])
        )
        self.using.update(release for _, release in rows)
        return frozenset(symbol for symbol, _ in rows)
