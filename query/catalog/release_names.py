"""How a release is named: ``alexandria`` or ``alexandria@1.0.1``."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from ..errors import ReleaseError
from ..index.not_found import NotFound
from ..index.reading import Reading
from ..index.shown import shown_name
from . import sql
from .fetched import fetched, is_remote
from .sql import ReleaseRow

_MOST_SUGGESTIONS = 5


def label(name: str, version: str | None) -> str:
    """The name of a release as one types it."""
    return f"{name}@{version}" if version else name


def releases_called(catalog: Reading, text: str) -> list[ReleaseRow] | NotFound:
    """The releases that ``text`` names, the newest first; or why there is none."""
    name, _, version = text.strip().partition("@")
    name = name.lower()
    rows = [ReleaseRow._make(row) for row in catalog.rows(sql.RELEASES_NAMED, name=name)]
    rows = rows or [ReleaseRow._make(row) for row in catalog.rows(sql.RELEASES_DEFINING, name=name)]
    if not rows:
        names = [one for (one,) in catalog.rows(sql.RELEASE_NAMES)]
        return NotFound(
            "release-not-found",
            f"Release {shown_name(name)} not found",
            "The catalog has no release with this name.",
            get_close_matches(name, names, n=_MOST_SUGGESTIONS),
        )
    found = [row for row in rows if row.version == version] if version else rows
    if not found:
        return NotFound(
            "release-not-found",
            f"Release {shown_name(name)}@{shown_name(version)} not found",
            f"The catalog has other versions of {name}.",
            [label(row.name, row.version) for row in rows][:_MOST_SUGGESTIONS],
        )
    return found


def slice_of(catalog: Reading, text: str) -> Path | NotFound:
    """The path of the slice of the release that ``text`` names."""
    rows = releases_called(catalog, text)
    if isinstance(rows, NotFound):
        return rows
    row = rows[0]
    if row.slice and is_remote(row.slice):
        return _fetched(row)
    path = Path(row.slice) if row.slice else None
    if path is not None and not path.is_file():
        # The store may have moved with the catalog.
        beside = catalog.path.parent / "store" / "slices" / path.name
        path = beside if beside.is_file() else None
    if path is None:
        gone = "Its slice is no longer in the store. Make it again with: oblist catalog build"
        see = f"It did not load; see: oblist catalog show {label(row.name, row.version)}"
        return _no_index(row, gone if row.slice else see)
    return path


def _fetched(row: ReleaseRow) -> Path | NotFound:
    try:
        return fetched(row.slice or "")
    except ReleaseError as error:
        return _no_index(row, str(error))


def _no_index(row: ReleaseRow, why: str) -> NotFound:
    return NotFound("release-not-found", f"Release {label(row.name, row.version)} has no index", why, [])
