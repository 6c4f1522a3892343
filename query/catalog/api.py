"""The Python API of catalogs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from oblist.indexer.format import CATALOG_FORMAT, CATALOG_ID, catalog_file

from ..api import Index, open_index
from ..asking import Asking, answered, with_methods
from ..errors import ReleaseError
from ..index.damage import blaming
from ..index.not_found import NotFound, not_found_text
from ..index.reading import FileKind, Reading
from . import sql

if TYPE_CHECKING:
    from ..asking import Method
    from ..index.parameters import Parameters
    from .provides.parameters import ProvidesParameters
    from .releases.parameters import ReleasesParameters
    from .search.parameters import CatalogSearchParameters
    from .show.parameters import ShowParameters

_Answer = TypeVar("_Answer")
_CATALOG = FileKind("catalog", "a", CATALOG_ID, CATALOG_FORMAT, "--catalog", "oblist catalog build --all")

QUESTIONS_TO_CATALOGS = {
    "provides": "catalog.provides.parameters:ProvidesParameters",
    "releases": "catalog.releases.parameters:ReleasesParameters",
    "search": "catalog.search.parameters:CatalogSearchParameters",
    "show": "catalog.show.parameters:ShowParameters",
}
"""The questions to a catalog, by the names of their methods."""


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


@with_methods(QUESTIONS_TO_CATALOGS)
class Catalog(Reading, Asking):
    """A catalog that answers questions. Only one thread at a time may use it.

    When a new build has replaced the file, the next question opens the new file.
    """

    kind = _CATALOG
    is_catalog = True

    if TYPE_CHECKING:
        provides = Method(ProvidesParameters)
        releases = Method(ReleasesParameters)
        search = Method(CatalogSearchParameters)
        show = Method(ShowParameters)

    def _build_command(self) -> str:
        return self.kind.build

    def releases_using(self, symbols: Sequence[int]) -> dict[int, int]:
        """How many releases use each of the symbols of another."""
        return dict(self.rows(sql.USERS, symbols=json.dumps(symbols)))

    def ask(self, parameters: Parameters[_Answer]) -> _Answer:
        """The answer to the question with these ``parameters``; as for Index.ask."""
        self.reopen_if_replaced()
        with blaming([self]):
            return answered(parameters, [self])

    def slice_of(self, release: str) -> Path | NotFound:
        """The path of the index of what ``release`` brings, written as for ``show``."""
        from .release_names import slice_of

        self.reopen_if_replaced()
        return slice_of(self, release)
