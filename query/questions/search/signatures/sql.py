"""Every SELECT of a search by signature, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from oblist.indexer.search_rank import NUMBER

from ..sql import USEFUL_COLUMNS, USEFUL_TABLES, UsefulRow

# The types with a name; exported ones first.
TYPES_NAMED = """
SELECT DISTINCT symbols.id, symbols.name, packages.name, symbols.exported
FROM symbols JOIN definitions ON definitions.symbol_id = symbols.id
LEFT JOIN packages ON packages.id = symbols.package_id
WHERE symbols.name = :name AND definitions.kind IN ('class', 'structure', 'condition', 'type')
ORDER BY symbols.exported DESC, packages.name
"""


TYPE_NAMES = """
SELECT DISTINCT symbols.name FROM definitions CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions.kind IN ('class', 'structure', 'condition', 'type') AND symbols.exported
"""


class TypeRow(NamedTuple):
    """One row of TYPES_NAMED, ABOVE or BELOW."""

    symbol: int
    name: str
    package: str | None
    exported: int


# The classes above and below a class, whatever the way; each class once.
_KIN = """
WITH RECURSIVE kin (symbol) AS (
    SELECT :symbol
    UNION
    {}
)
SELECT symbols.id, symbols.name, packages.name, symbols.exported
FROM kin CROSS JOIN symbols ON symbols.id = kin.symbol LEFT JOIN packages ON packages.id = symbols.package_id
WHERE kin.symbol <> :symbol
"""
ABOVE = _KIN.format(
    """SELECT class_superclasses.symbol_id FROM kin
       CROSS JOIN definitions ON definitions.symbol_id = kin.symbol
       CROSS JOIN class_superclasses ON class_superclasses.class_id = definitions.id"""
)
BELOW = _KIN.format(
    """SELECT definitions.symbol_id FROM kin
       CROSS JOIN class_superclasses ON class_superclasses.symbol_id = kin.symbol
       CROSS JOIN definitions ON definitions.id = class_superclasses.class_id"""
)

# Definitions by the types of their arguments or results, and functions by words in their arglists or names.
WITH_TYPES = "SELECT rowid FROM signatures_fts WHERE signatures_fts MATCH :match"
WITH_WORDS = f"""
SELECT signatures.id
FROM definitions_fts CROSS JOIN signatures ON signatures.id = definitions_fts.rowid {NUMBER}
WHERE definitions_fts MATCH :match
"""
NAMED = f"""
SELECT definitions.id, symbols.folded
FROM definitions_fts CROSS JOIN definitions ON definitions.id = definitions_fts.rowid {NUMBER}
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions_fts MATCH :match AND definitions.kind IN ('function', 'generic-function')
"""
# Generic functions by the classes that their methods specialize on.
SPECIALIZED = """
SELECT DISTINCT generic.id FROM json_each(:symbols) AS listed
CROSS JOIN method_specializers ON method_specializers.symbol_id = listed.value
CROSS JOIN definitions AS methods ON methods.id = method_specializers.definition_id
CROSS JOIN definitions AS generic ON generic.symbol_id = methods.symbol_id
WHERE generic.kind = 'generic-function' AND generic.operator IS methods.operator
"""
# Functions that take so many arguments.
TAKING = """
SELECT id FROM signatures WHERE least_arguments = :arguments AND most_arguments = :arguments
"""

# How well known the functions among some definitions are.
KNOWN = """
SELECT listed.value, 5 * symbols.exported + min(40, definitions.callers_count) / 8.0
FROM json_each(:definitions) AS listed
CROSS JOIN definitions ON definitions.id = listed.value
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions.operator IS NULL
"""
CANDIDATES = f"""
SELECT {USEFUL_COLUMNS}, definitions.kind, definitions.arglist,
       signatures.argument_types, signatures.result_types
FROM json_each(:definitions) AS listed
CROSS JOIN signatures ON signatures.id = listed.value
CROSS JOIN definitions ON definitions.id = listed.value
{USEFUL_TABLES}
"""


class FunctionCandidateRow(NamedTuple):
    """One row of CANDIDATES: a function with its signature, and what makes it useful."""

    match: UsefulRow
    kind: str
    arglist: str | None
    argument_types: str | None
    result_types: str | None

    @classmethod
    def of(cls, row: Sequence[Any]) -> FunctionCandidateRow:
        """Make the row, with the match as one value."""
        return cls(UsefulRow._make(row[:-4]), *row[-4:])


# The specializers of all methods of generic functions, by place.
SPECIALIZERS = """
SELECT DISTINCT generic.id, method_specializers.position, symbols.name, packages.name, symbols.exported
FROM json_each(:definitions) AS listed
CROSS JOIN definitions AS generic ON generic.id = listed.value
CROSS JOIN definitions AS methods ON methods.symbol_id = generic.symbol_id AND methods.kind = 'method'
CROSS JOIN method_specializers ON method_specializers.definition_id = methods.id
CROSS JOIN symbols ON symbols.id = method_specializers.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
WHERE methods.operator IS NULL
"""


class TypedSpecializerRow(NamedTuple):
    """One row of SPECIALIZERS."""

    definition: int
    position: int
    name: str
    package: str | None
    exported: int
