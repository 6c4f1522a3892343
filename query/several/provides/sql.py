"""Every SELECT of provides from several indexes, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# The symbols of a name in the packages that have it. A method alone does not define its name, which belongs
# to the generic function.
SYMBOLS_CALLED = """
SELECT packages.name, symbols.type, presences.status,
       EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id AND kind <> 'method')
       AND symbols.package_id = presences.package_id
FROM symbols CROSS JOIN presences ON presences.symbol_id = symbols.id
CROSS JOIN packages ON packages.id = presences.package_id AND packages.name <> 'KEYWORD'
WHERE symbols.name = :name AND (:package IS NULL OR presences.package_id = :package)
ORDER BY packages.name <> 'COMMON-LISP', packages.name
"""


class SymbolCalledRow(NamedTuple):
    """One row of SYMBOLS_CALLED; ``defined`` says whether its definitions are of its home, this package."""

    package: str
    type: str
    status: str
    defined: int | None


SYSTEMS_CALLED = "SELECT name FROM systems WHERE name = :name"
