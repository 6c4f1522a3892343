"""Every SELECT of catalog releases, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

from ..sql import RELEASE_TABLES

RELEASES_LIKE = f"""
SELECT releases.name, releases.version, newest, state, exports, systems.licence, systems.description
FROM {RELEASE_TABLES}
WHERE instr(releases.name, :name) AND (:state IS NULL OR state = :state)
ORDER BY releases.name, newest DESC, releases.id LIMIT :limit OFFSET :offset
"""
RELEASES_COUNT = """
SELECT count(*) FROM releases WHERE instr(name, :name) AND (:state IS NULL OR state = :state)
"""


class ListedRow(NamedTuple):
    """One row of RELEASES_LIKE."""

    name: str
    version: str | None
    newest: int
    state: str
    exports: int
    licence: str | None
    description: str | None
