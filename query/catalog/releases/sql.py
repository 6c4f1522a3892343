"""Every SELECT of catalog releases, each with the row that it fills."""

from __future__ import annotations

from ..sql import RELEASE_COLUMNS, RELEASE_TABLES

RELEASES_LIKE = f"""
SELECT {RELEASE_COLUMNS} FROM {RELEASE_TABLES}
WHERE instr(releases.name, :name) AND (:state IS NULL OR state = :state)
ORDER BY releases.name, newest DESC, releases.id LIMIT :limit OFFSET :offset
"""
RELEASES_COUNT = """
SELECT count(*) FROM releases WHERE instr(name, :name) AND (:state IS NULL OR state = :state)
"""
