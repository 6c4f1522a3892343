"""Every SELECT of catalog show, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

PACKAGES_OF = "SELECT name FROM packages WHERE system_id = :release ORDER BY name"
SYSTEMS_OF = "SELECT name, version, state FROM release_systems WHERE release_id = :release ORDER BY name"
PROBLEMS_OF = "SELECT subject, message FROM release_problems WHERE release_id = :release ORDER BY rowid"

# How often one release uses the packages of another.
_USES = """(SELECT sum(uses) FROM release_uses JOIN packages ON packages.name = release_uses.package
            WHERE release_uses.release_id = {user} AND packages.system_id = {used})"""
NEEDED_BY = f"""
SELECT system_dependencies.name, relation, releases.name, releases.version,
       {_USES.format(user=":release", used="target_id")}
FROM system_dependencies LEFT JOIN releases ON releases.id = target_id
WHERE system_dependencies.system_id = :release ORDER BY position
"""
NEEDING = f"""
SELECT system_dependencies.name, relation, releases.name, releases.version,
       {_USES.format(user="releases.id", used=":release")}
FROM system_dependencies CROSS JOIN releases ON releases.id = system_dependencies.system_id
WHERE system_dependencies.target_id = :release ORDER BY releases.name, releases.id
"""


class ReleaseSystemRow(NamedTuple):
    """One row of SYSTEMS_OF."""

    name: str
    version: str | None
    state: str


class ReleaseDependencyRow(NamedTuple):
    """One row of NEEDED_BY or NEEDING."""

    system: str
    relation: str
    release: str | None
    version: str | None
    uses: int | None
