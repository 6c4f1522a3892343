"""Every SELECT of package, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

_CALLED = "('function', 'macro', 'generic-function', 'special-operator')"

PACKAGE = """
SELECT documentation, locked, (SELECT count(*) FROM presences WHERE package_id = packages.id)
FROM packages WHERE id = :package
"""


class PackageFactsRow(NamedTuple):
    """One row of PACKAGE."""

    documentation: str | None
    locked: int
    present: int


PACKAGE_NICKNAMES = "SELECT nickname FROM package_nicknames WHERE package_id = :package ORDER BY nickname"
PACKAGE_LOCAL_NICKNAMES = """
SELECT nickname, packages.name FROM package_local_nicknames
JOIN packages ON packages.id = package_local_nicknames.target_id
WHERE package_local_nicknames.package_id = :package ORDER BY nickname
"""
PACKAGE_USES = """
SELECT packages.name FROM package_uses CROSS JOIN packages
WHERE package_uses.package_id = :package AND packages.id = package_uses.used_id ORDER BY position
"""


def users_of(package: str) -> str:
    """Select the packages that use a package; ``package`` is an SQL expression for its number."""
    return f"""
SELECT packages.name FROM package_uses JOIN packages ON packages.id = package_uses.package_id
WHERE package_uses.used_id = {package} ORDER BY packages.name
"""


PACKAGE_USED_BY = users_of(":package")
PACKAGE_EXPORTS_TOTAL = """
SELECT count(*) FROM presences WHERE package_id = :package AND status = 'external'
"""
_CHOSEN = """AND instr(symbols.folded, :folded) > 0 AND symbols.type = coalesce(:type, symbols.type)
AND NOT (:undocumented AND EXISTS (SELECT 1 FROM definitions
                                   WHERE symbol_id = symbols.id AND documentation IS NOT NULL))"""
CHOSEN_EXPORTS_TOTAL = f"""
SELECT count(*) FROM presences CROSS JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.package_id = :package AND presences.status = 'external' {_CHOSEN}
"""


def exports_of(package: str, limit: str, offset: str, chosen: str = "") -> str:
    """Select the external symbols of a package, by name; the arguments are SQL expressions.

    The page is selected first, so that only its symbols have their documentation looked up.
    """
    return f"""
SELECT exports.name, exports.type, coalesce(homes.name, ''),
       (SELECT arglist FROM definitions
        WHERE symbol_id = exports.id AND operator IS NULL AND kind IN {_CALLED} LIMIT 1),
       (SELECT documentation FROM definitions
        WHERE symbol_id = exports.id AND documentation IS NOT NULL ORDER BY definitions.id LIMIT 1)
FROM (SELECT symbols.id, symbols.name, symbols.type, symbols.package_id
      FROM presences CROSS JOIN symbols
      WHERE presences.package_id = {package} AND presences.status = 'external'
        AND symbols.id = presences.symbol_id {chosen}
      ORDER BY symbols.name LIMIT {limit} OFFSET {offset}) AS exports
LEFT JOIN packages AS homes ON homes.id = exports.package_id
ORDER BY exports.name
"""


PACKAGE_EXPORTS = exports_of(":package", ":limit", ":offset")
CHOSEN_EXPORTS = exports_of(":package", ":limit", ":offset", _CHOSEN)


class ExportRow(NamedTuple):
    """One row of PACKAGE_EXPORTS or CHOSEN_EXPORTS."""

    name: str
    type: str
    home: str
    arglist: str | None
    documentation: str | None
