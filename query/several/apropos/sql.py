"""Every SELECT of apropos from several indexes, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# A catalog has a package of one name for each version of its release.
PACKAGES_CALLED = """
SELECT id, name FROM packages WHERE name = :name UNION
SELECT packages.id, packages.name FROM package_nicknames
JOIN packages ON packages.id = package_nicknames.package_id WHERE nickname = :name
"""


class PackageCalledRow(NamedTuple):
    """One row of PACKAGES_CALLED."""

    number: int
    name: str


# A clause for a statement of APROPOS_EXPORTED_CANDIDATES.
EXPORTED_FROM = """
 AND symbols.id IN (SELECT symbol_id FROM presences WHERE status = 'external'
                    AND package_id IN (SELECT value FROM json_each(:packages)))"""
