"""Every SELECT of catalog search, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

RELEASES_OF = """
SELECT listed.value, releases.name, releases.version, releases.newest
FROM json_each(:symbols) AS listed
CROSS JOIN symbols ON symbols.id = listed.value
CROSS JOIN packages ON packages.id = symbols.package_id
CROSS JOIN releases ON releases.id = packages.system_id
"""
# Releases by what they are called and about, best first.
RELEASES_ABOUT = """
SELECT releases.name, releases.version, newest
FROM releases_fts CROSS JOIN releases ON releases.id = releases_fts.rowid
WHERE releases_fts MATCH :match ORDER BY bm25(releases_fts, 2.0, 1.0) LIMIT :limit
"""


class AboutRow(NamedTuple):
    """One row of RELEASES_ABOUT."""

    name: str
    version: str | None
    newest: int


class ReleaseOfRow(NamedTuple):
    """One row of RELEASES_OF: a symbol, and the release that it is from."""

    symbol: int
    name: str
    version: str | None
    newest: int
