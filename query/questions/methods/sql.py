"""Every SELECT about the methods of a generic function, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import place
from ...index.place import SourcePlace

# The generic function, with the text of its form; the text is empty if the index has no sources.
GENERIC_FUNCTION = """
SELECT definitions.arglist,
       (SELECT group_concat(text, char(10)) FROM (
           SELECT text FROM source_lines WHERE source_lines.file_id = definitions.file_id
              AND line BETWEEN definitions.start_line AND definitions.end_line ORDER BY line))
FROM definitions
WHERE definitions.symbol_id = :symbol AND definitions.kind = 'generic-function'
  AND definitions.operator IS :operator
"""

# The methods in the order of their definitions, a row for each specializer; one row for a method without any.
SPECIALIZERS = """
SELECT definitions.id, definitions.qualifiers, method_specializers.symbol_id, method_specializers.eql,
       method_specializers.eql_class_id, method_specializers.position
FROM definitions
LEFT JOIN method_specializers ON method_specializers.definition_id = definitions.id
WHERE definitions.symbol_id = :symbol AND definitions.kind = 'method' AND definitions.operator IS :operator
ORDER BY definitions.id, method_specializers.position
"""


class SpecializerRow(NamedTuple):
    """One row of SPECIALIZERS."""

    method: int
    qualifiers: str | None
    symbol: int | None
    eql: str | None
    eql_class: int | None
    position: int | None


# ``numbers`` is an array of definitions, in the order in which they are shown.
SHOWN = f"""
SELECT definitions.id, definitions.qualifiers, definitions.specializers, definitions.arglist,
       definitions.documentation, {place.COLUMNS}
FROM json_each(:numbers) AS listed CROSS JOIN definitions ON definitions.id = listed.value
{place.TABLES}
ORDER BY listed.key
"""


class ShownRow(NamedTuple):
    """One row of SHOWN."""

    number: int
    qualifiers: str | None
    specializers: str | None
    arglist: str | None
    documentation: str | None
    place: SourcePlace

    @classmethod
    def of(cls, row: Sequence[Any]) -> ShownRow:
        """Make the row, with its place as one value."""
        return cls._make([*row[:5], SourcePlace._make(row[5:])])


# Those of some definitions that are in files of the project, or of the systems that were asked for.
OF_PROJECT = """
SELECT definitions.id FROM json_each(:numbers) AS listed
CROSS JOIN definitions ON definitions.id = listed.value
CROSS JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN systems ON systems.id = source_files.system_id
LEFT JOIN roots ON roots.id = source_files.root_id
WHERE systems.asked = 1 OR roots.name = 'project'
"""
