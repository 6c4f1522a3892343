"""The Python API of catalogs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from oblist.indexer.format import CATALOG_FORMAT, CATALOG_ID, catalog_file

from ..api import Index, open_index
from ..errors import ReleaseError
from ..index.not_found import NotFound, not_found_text
from ..index.reading import FileKind, Reading
from . import sql

if TYPE_CHECKING:
    from .provides.answer import ProvidesAnswer
    from .releases.answer import ReleasesAnswer
    from .search.answer import CatalogSearchAnswer
    from .show.answer import ReleaseAnswer

_CATALOG = FileKind("catalog", "a", CATALOG_ID, CATALOG_FORMAT, "--catalog", "oblist catalog build --all")


def open_catalog(path: str | os.PathLike[str] | None = None) -> Catalog:
    """Open the catalog at ``path``, else the one that OBLIST_CATALOG names, else the user's.

    Raises IndexMissingError, IndexDamagedError or IndexVersionError, each of which names the file, what is
    wrong with it and what to do.
    """
    return Catalog(catalog_file(os.fspath(path) if path is not None else None))


def open_slice(release: str, path: str | os.PathLike[str] | None = None) -> Index:
    """Open the index of what ``release`` brings, written alexandria or alexandria@1.0.1.

    ``path`` is as for open_catalog. Raises ReleaseError, and what opening the two files raises.
    """
    with open_catalog(path) as catalog:
        found = catalog.slice_of(release)
    if isinstance(found, NotFound):
        raise ReleaseError(not_found_text(found))
    return open_index(found)


class Catalog(Reading):
    """A catalog that answers questions. Only one thread at a time may use it.

    When a new build has replaced the file, the next question opens the new file.
    """

    kind = _CATALOG
    is_catalog = True

    def _build_command(self) -> str:
        return self.kind.build

    def releases_using(self, symbols: Sequence[int]) -> dict[int, int]:
        """How many releases use each of the symbols of another."""
        return dict(self.rows(sql.USERS, symbols=json.dumps(symbols)))

    def search(self, query: str, *, limit: int = 20, offset: int = 0) -> CatalogSearchAnswer | NotFound:
        """The exported symbols of all releases that match ``query``, best first; ``limit`` 0 means all.

        ``query`` is as for Index.search: words, a signature after ``::``, or both.
        """
        from .search.ask import search

        self.reopen_if_replaced()
        return search(self, query, limit=limit, offset=offset)

    def provides(self, name: str, *, limit: int = 0, offset: int = 0) -> ProvidesAnswer | NotFound:
        """The releases that export or define a symbol, package or system called ``name``."""
        from .provides.ask import provides

        self.reopen_if_replaced()
        return provides(self, name, limit=limit, offset=offset)

    def releases(
        self, name: str = "", *, state: str | None = None, limit: int = 0, offset: int = 0
    ) -> ReleasesAnswer:
        """The releases whose names contain ``name``, in the ``state`` loaded, partly or failed."""
        from .releases.ask import releases

        self.reopen_if_replaced()
        return releases(self, name, state=state, limit=limit, offset=offset)

    def show(self, release: str) -> ReleaseAnswer | NotFound:
        """A release, written ``alexandria`` or ``alexandria@1.0.1``: what it is, needs, and is needed by."""
        from .show.ask import show

        self.reopen_if_replaced()
        return show(self, release)

    def slice_of(self, release: str) -> Path | NotFound:
        """The path of the index of what ``release`` brings, written as for ``show``."""
        from .release_names import slice_of

        self.reopen_if_replaced()
        return slice_of(self, release)
