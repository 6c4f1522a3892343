"""Every SELECT of provides, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

_RELEASE = "releases.name, releases.version, releases.newest"

SYMBOLS_CALLED = f"""
SELECT {_RELEASE}, release_names.package, release_names.type, release_names.status
FROM release_names CROSS JOIN releases ON releases.id = release_names.release_id
WHERE release_names.name = :name AND (:package IS NULL OR release_names.package = :package OR EXISTS (
    SELECT 1 FROM package_nicknames CROSS JOIN packages ON packages.id = package_nicknames.package_id
    WHERE package_nicknames.nickname = :package AND packages.name = release_names.package))
"""


class ReleaseSymbolRow(NamedTuple):
    """One row of SYMBOLS_CALLED."""

    release: str
    version: str | None
    newest: int
    package: str
    type: str
    status: str


PACKAGES_CALLED = f"""
SELECT {_RELEASE} FROM packages CROSS JOIN releases ON releases.id = packages.system_id
WHERE packages.name = :name
"""
PACKAGES_NICKNAMED = f"""
SELECT {_RELEASE} FROM package_nicknames
CROSS JOIN packages ON packages.id = package_nicknames.package_id
CROSS JOIN releases ON releases.id = packages.system_id
WHERE package_nicknames.nickname = :name
"""


class ReleasePackageRow(NamedTuple):
    """One row of PACKAGES_CALLED or PACKAGES_NICKNAMED."""

    release: str
    version: str | None
    newest: int


SYSTEMS_CALLED = f"""
SELECT {_RELEASE}, release_systems.name, release_systems.state
FROM release_systems CROSS JOIN releases ON releases.id = release_systems.release_id
WHERE release_systems.name = :name
"""


class SystemCalledRow(NamedTuple):
    """One row of SYSTEMS_CALLED."""

    release: str
    version: str | None
    newest: int
    name: str
    state: str


# Names to suggest for one that nobody provides.
NAMES_LIKE = """
SELECT symbols.name, packages.name FROM symbols_fts CROSS JOIN symbols ON symbols.id = symbols_fts.rowid
JOIN packages ON packages.id = symbols.package_id
WHERE symbols_fts MATCH :phrase ORDER BY symbols_fts.rank LIMIT 100
"""

# The symbols of a name in the packages that have it. A method alone does not define its name, which belongs
# to the generic function.
SYMBOLS_IN_INDEX = """
SELECT packages.name, symbols.type, presences.status,
       EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id AND kind <> 'method')
       AND symbols.package_id = presences.package_id
FROM symbols CROSS JOIN presences ON presences.symbol_id = symbols.id
CROSS JOIN packages ON packages.id = presences.package_id AND packages.name <> 'KEYWORD'
WHERE symbols.name = :name AND (:package IS NULL OR presences.package_id = :package)
ORDER BY packages.name <> 'COMMON-LISP', packages.name
"""


class SymbolInIndexRow(NamedTuple):
    """One row of SYMBOLS_IN_INDEX; ``defined`` says whether its definitions are of its home, this package."""

    package: str
    type: str
    status: str
    defined: int | None


SYSTEMS_IN_INDEX = "SELECT name FROM systems WHERE name = :name"
