"""The SELECTs that several questions about a catalog share, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

RELEASE_COLUMNS = """releases.id, releases.name, releases.version, newest, state, place, slice, packages,
       symbols, exports, definitions, systems.licence, systems.author, systems.description"""
RELEASE_TABLES = "releases JOIN systems ON systems.id = releases.id"
RELEASES_NAMED = f"""
SELECT {RELEASE_COLUMNS} FROM {RELEASE_TABLES}
WHERE releases.name = :name ORDER BY newest DESC, releases.id
"""
# The releases that define a system of another name.
RELEASES_DEFINING = f"""
SELECT {RELEASE_COLUMNS} FROM {RELEASE_TABLES}
WHERE releases.id IN (SELECT release_id FROM release_systems WHERE name = :name)
ORDER BY newest DESC, releases.id
"""
# How many releases use a symbol of another.
USERS = """
SELECT listed.value, count(*) FROM json_each(:symbols) AS listed
CROSS JOIN symbols ON symbols.id = listed.value
CROSS JOIN packages ON packages.id = symbols.package_id
CROSS JOIN release_uses ON release_uses.package = packages.name AND release_uses.name = symbols.name
WHERE release_uses.release_id IS NOT packages.system_id
GROUP BY listed.value
"""
# The releases that use a symbol of another, and how often.
USERS_OF = """
SELECT releases.name, releases.version, release_uses.uses
FROM release_uses CROSS JOIN releases ON releases.id = release_uses.release_id
WHERE release_uses.package = :package AND release_uses.name = :name
ORDER BY release_uses.uses DESC, releases.name, releases.newest DESC, releases.version
"""
# Which of some names releases use, and which ones; those that define a system of an own name do not count.
USED_BY_OTHERS = """
SELECT listed.value ->> 0, release_uses.release_id FROM json_each(:names) AS listed
CROSS JOIN release_uses
    ON release_uses.package = listed.value ->> 1 AND release_uses.name = listed.value ->> 2
WHERE release_uses.release_id NOT IN (
    SELECT release_systems.release_id FROM json_each(:own) AS listed
    CROSS JOIN release_systems ON release_systems.name = listed.value)
"""
# For pictures: which release depends on which, and how they are called.
DEPENDENCIES = """
SELECT DISTINCT system_id, target_id FROM system_dependencies
WHERE target_id IS NOT NULL AND target_id <> system_id ORDER BY 1, 2
"""
RELEASE_LABELS = "SELECT id, name, version FROM releases"
# What a release exports.
EXPORTS_OF = """
SELECT symbols.name, packages.name, symbols.type,
       (SELECT arglist FROM definitions WHERE symbol_id = symbols.id AND arglist IS NOT NULL LIMIT 1),
       (SELECT documentation FROM definitions
        WHERE symbol_id = symbols.id AND documentation IS NOT NULL ORDER BY id LIMIT 1)
FROM packages CROSS JOIN symbols ON symbols.package_id = packages.id
WHERE packages.system_id = :release ORDER BY packages.name, symbols.name LIMIT :limit OFFSET :offset
"""
RELEASE_NAMES = "SELECT DISTINCT name FROM releases"


class LabelRow(NamedTuple):
    """One row of RELEASE_LABELS."""

    number: int
    name: str
    version: str | None


class UserRow(NamedTuple):
    """One row of USERS_OF."""

    release: str
    version: str | None
    uses: int


class ReleaseExportRow(NamedTuple):
    """One row of EXPORTS_OF."""

    name: str
    package: str
    type: str
    arglist: str | None
    documentation: str | None


class ReleaseRow(NamedTuple):
    """One row of RELEASES_NAMED or RELEASES_DEFINING."""

    id: int
    name: str
    version: str | None
    newest: int
    state: str
    place: str
    slice: str | None
    packages: int
    symbols: int
    exports: int
    definitions: int
    licence: str | None
    author: str | None
    description: str | None


# The releases that use names of some packages, without those that define some systems themselves.
RELEASES_THAT_USE = """
SELECT DISTINCT releases.name, releases.version
FROM json_each(:packages) AS listed
CROSS JOIN release_uses ON release_uses.package = listed.value
CROSS JOIN releases ON releases.id = release_uses.release_id
WHERE releases.id NOT IN (
    SELECT release_systems.release_id FROM json_each(:own) AS listed
    CROSS JOIN release_systems ON release_systems.name = listed.value)
ORDER BY releases.name, releases.version
"""


class UsingReleaseRow(NamedTuple):
    """One row of RELEASES_THAT_USE."""

    name: str
    version: str | None
