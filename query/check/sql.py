"""Every SELECT of check, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

PACKAGES = "SELECT id, name FROM packages"
NICKNAMES = "SELECT nickname, package_id FROM package_nicknames"
LOCAL_NICKNAMES = "SELECT package_id, nickname, target_id FROM package_local_nicknames"
USES = "SELECT package_id, used_id FROM package_uses ORDER BY package_id, position"

# The symbols present in one package; queried once for each package that a text names or is in.
PRESENT = """
SELECT symbols.name, symbols.id, symbols.package_id, presences.status = 'external'
FROM presences CROSS JOIN symbols
WHERE presences.package_id = :package AND symbols.id = presences.symbol_id
"""


class PresentRow(NamedTuple):
    """One row of PRESENT; ``home`` is the number of the home package."""

    name: str
    symbol: int
    home: int | None
    external: int


class LocalNicknameRow(NamedTuple):
    """One row of LOCAL_NICKNAMES."""

    package: int
    nickname: str
    target: int


# With methods: a generic function also accepts the keywords of its methods (CLHS 7.6.5).
DEFINITIONS = """
SELECT kind, operator, arglist, deprecated, deprecated_since, replacement
FROM definitions WHERE symbol_id = :symbol ORDER BY id
"""


class DefinitionRow(NamedTuple):
    """One row of DEFINITIONS."""

    kind: str
    operator: str | None
    arglist: str | None
    deprecated: str | None
    deprecated_since: str | None
    replacement: str | None


# The packages that export a symbol of this name, for a suggestion.
EXPORTERS = """
SELECT packages.name FROM symbols
JOIN presences ON presences.symbol_id = symbols.id AND presences.status = 'external'
JOIN packages ON packages.id = presences.package_id
WHERE symbols.name = :name ORDER BY packages.name LIMIT :limit
"""
