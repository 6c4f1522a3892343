"""Every SELECT of definition, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import place
from ...index.place import SourcePlace

# definition: the places of the definitions of a symbol, then the lines of each.
_SELECTED = f"""
SELECT definitions.kind, definitions.operator, kinds.documentation_type, definitions.qualifiers,
       definitions.specializers, definitions.arglist, definitions.value, definitions.defined_by,
       {place.COLUMNS}
FROM definitions
JOIN kinds ON kinds.kind = definitions.kind
{place.TABLES}"""
_PLACES = f"{_SELECTED}\nWHERE definitions.symbol_id = :symbol ORDER BY definitions.id"
DEFINITION_PLACES = f"{_PLACES}\n"
DEFINITION_PLACES_FROM = f"{_PLACES} LIMIT :limit OFFSET :offset\n"
# Only the definitions of packages, which are few, are of no symbol.
PACKAGE_PLACES = f"""{_SELECTED}
WHERE definitions.symbol_id IS NULL AND definitions.package_id = :package
ORDER BY definitions.id
"""


class DefinitionPlaceRow(NamedTuple):
    """One row of DEFINITION_PLACES, DEFINITION_PLACES_FROM or PACKAGE_PLACES."""

    kind: str
    operator: str | None
    documentation_type: str | None
    qualifiers: str | None
    specializers: str | None
    arglist: str | None
    value: str | None
    defined_by: str | None
    place: SourcePlace

    @classmethod
    def of(cls, row: Sequence[Any]) -> DefinitionPlaceRow:
        """Make the row, with its place as one value."""
        return cls._make([*row[:8], SourcePlace._make(row[8:])])


# ``extents`` are arrays of a file, the first line and the last.
SOURCE_TEXTS = """
SELECT listed.key, text FROM json_each(:extents) AS listed
CROSS JOIN source_lines ON file_id = listed.value ->> 0
                       AND line BETWEEN listed.value ->> 1 AND listed.value ->> 2
ORDER BY listed.key, line
"""

# Lines that may hold the IN-PACKAGE form in effect for a definition, nearest first.
IN_PACKAGE_LINES = """
SELECT text FROM source_lines
WHERE file_id = :file AND line <= :line AND text LIKE '%in-package%' ORDER BY line DESC
"""
