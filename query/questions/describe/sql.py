"""Every SELECT of describe, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import place, written
from ...index import sql as index_sql
from ...index.place import SourcePlace
from ...index.relations import CALLING
from ...index.written import SymbolRow


def definitions_of(symbol: str) -> str:
    """Select all definitions of a symbol; ``symbol`` is an SQL expression for its number."""
    return _definitions(f"WHERE definitions.symbol_id = {symbol}")


def _definitions(which: str) -> str:
    return f"""
SELECT definitions.kind, definitions.operator, definitions.qualifiers, definitions.specializers,
       definitions.arglist, definitions.ftype, definitions.documentation, definitions.value,
       definitions.deprecated, definitions.deprecated_since, definitions.replacement,
       definitions.callers_count AS callers, kinds.documentation_type, definitions.defined_by,
       {place.COLUMNS}
FROM definitions
JOIN kinds ON kinds.kind = definitions.kind
{place.TABLES}
{which}
ORDER BY definitions.id
"""


DEFINITIONS = definitions_of(":symbol")
DEFINITIONS_PAGE = _definitions(
    f"WHERE definitions.id IN ({index_sql.DEFINITION_NUMBERS} ORDER BY id LIMIT :limit OFFSET :offset)"
)

# The definitions that say what a symbol with very many definitions is: not all of its methods.
FEW_METHODS = _definitions(f"WHERE definitions.id IN ({index_sql.few_definitions(':most')})")


class DefinitionRow(NamedTuple):
    """One row of DEFINITIONS, DEFINITIONS_PAGE or FEW_METHODS."""

    kind: str
    operator: str | None
    qualifiers: str | None
    specializers: str | None
    arglist: str | None
    ftype: str | None
    documentation: str | None
    value: str | None
    deprecated: str | None
    deprecated_since: str | None
    replacement: str | None
    callers: int
    documentation_type: str | None
    defined_by: str | None
    place: SourcePlace

    @classmethod
    def of(cls, row: Sequence[Any]) -> DefinitionRow:
        """Make the row, with its place as one value."""
        return cls._make([*row[:14], SourcePlace._make(row[14:])])


STRAY_DOCUMENTATION = "SELECT type, text FROM documentation WHERE symbol_id = :symbol"

# The statements of see_also. Each reads a bounded range of an SQL index, and begins with the columns from
# which a name is written. CROSS JOIN keeps the order of the tables.

MOST_OF_FORM = 64
MOST_OF_STEM = 24

NAME = f"SELECT {written.COLUMNS} FROM symbols WHERE symbols.id = :symbol"


class RelatedRow(NamedTuple):
    """One row of SLOT_NEIGHBOURS or MADE_BY_FORM: a symbol, or its setf function."""

    symbol: SymbolRow
    operator: str | None = None

    @classmethod
    def of(cls, row: Sequence[Any]) -> RelatedRow:
        """Make the row, with its symbol as one value."""
        return cls(SymbolRow._make(row[:-1]), row[-1])


# The classes of the slots that a function reads or writes, then the other accessors of these slots.
SLOT_NEIGHBOURS = f"""
WITH mine AS (SELECT class_id, slot FROM slot_accessors WHERE symbol_id = :symbol LIMIT 4)
SELECT {written.COLUMNS}, NULL FROM mine
CROSS JOIN definitions ON definitions.id = mine.class_id
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
UNION ALL
SELECT {written.COLUMNS}, slot_accessors.operator FROM mine
CROSS JOIN slot_accessors ON slot_accessors.class_id = mine.class_id AND slot_accessors.slot = mine.slot
CROSS JOIN symbols ON symbols.id = slot_accessors.symbol_id
"""

# The definitions made by one form, without slot accessors: a structure, its constructors, predicate and
# copier; or everything that another defining macro makes.
MADE_BY_FORM = f"""
SELECT {written.COLUMNS}, NULL
FROM (SELECT symbol_id, kind FROM definitions
      WHERE file_id = :file AND start_offset = :offset LIMIT {MOST_OF_FORM}) AS form
CROSS JOIN symbols ON symbols.id = form.symbol_id
WHERE symbols.type <> 'SYMBOL'
  AND NOT EXISTS (SELECT 1 FROM slot_accessors WHERE slot_accessors.symbol_id = form.symbol_id)
ORDER BY form.kind NOT IN ('structure', 'class', 'condition'), symbols.name, symbols.id
"""

# Names in one package: exact names; and the names from a stem up to ``:end``, the end of the stem's range,
# including internal names when ``:exported`` is 0.
_NAMED = """
SELECT symbols.id, symbols.name, symbols.package_id,
       CASE WHEN symbols.exported THEN (SELECT status FROM presences WHERE presences.symbol_id = symbols.id
                                        AND presences.package_id = symbols.package_id) END,
       symbols.type
FROM symbols WHERE symbols.package_id = :package"""
NAMED = f"""{_NAMED} AND symbols.exported IN (0, 1)
AND symbols.name IN (:name_1, :name_2, :name_3)"""
NAMED_WITH_STEM = f"""{_NAMED} AND symbols.exported IN (1, :exported)
AND symbols.name >= :stem AND symbols.name < :end LIMIT {MOST_OF_STEM}"""


class KinRow(NamedTuple):
    """One row of NAMED or NAMED_WITH_STEM; internal symbols have no status."""

    number: int
    name: str
    package: int
    status: str | None
    type: str

    @property
    def symbol(self) -> SymbolRow:
        """The symbol by itself."""
        return SymbolRow._make(self[:-1])


# The runs of uses of a name, and of its other name, by relation.
USES = """
SELECT relations.relation, total, first_id, last_id
FROM used_symbols
JOIN relations ON relations.id = used_symbols.relation_id
WHERE used_symbols.symbol_id = :symbol
  AND (used_symbols.operator IS :operator OR used_symbols.operator IS :other)
ORDER BY used_symbols.relation_id
"""


class UsesRow(NamedTuple):
    """One row of USES: how many uses there are, and the numbers of the first and last."""

    relation: str
    total: int
    first: int
    last: int


# A few callers of a name, and the other names of its package that at least two of them call. Methods are left
# out: a generic function may have too many to look at all.
CALLED_WITH = f"""
SELECT {written.COLUMNS}, other.operator, count(*) AS together,
       (SELECT max(callers_count) FROM definitions WHERE symbol_id = symbols.id) AS callers
FROM (SELECT DISTINCT user.definition_id, used.callee_id, used.callee_operator AS operator
      FROM (SELECT DISTINCT callers.definition_id
            FROM (SELECT caller_id FROM used_symbols
                  CROSS JOIN symbol_references AS one ON one.id BETWEEN first_id AND last_id
                  WHERE used_symbols.symbol_id = :symbol AND used_symbols.operator IS :operator
                    AND used_symbols.relation_id IN {CALLING} LIMIT 16)
            CROSS JOIN callers ON callers.id = caller_id
            WHERE callers.definition_id IS NOT NULL LIMIT 8) AS user
      CROSS JOIN definitions ON definitions.id = user.definition_id AND definitions.kind <> 'method'
      CROSS JOIN using_symbols ON using_symbols.symbol_id = definitions.symbol_id
        AND using_symbols.operator IS definitions.operator AND using_symbols.relation_id IN {CALLING}
      CROSS JOIN json_each(using_symbols.uses) AS listed
      CROSS JOIN symbol_references AS used ON used.id = listed.value
      LIMIT 160) AS other
CROSS JOIN symbols ON symbols.id = other.callee_id
WHERE symbols.package_id = :package AND symbols.type IN ('FUNCTION', 'GENERIC-FUNCTION', 'MACRO')
GROUP BY other.callee_id, other.operator HAVING count(*) > 1
"""


class CalledWithRow(NamedTuple):
    """One row of CALLED_WITH."""

    symbol: SymbolRow
    operator: str | None
    together: int
    callers: int

    @classmethod
    def of(cls, row: Sequence[Any]) -> CalledWithRow:
        """Make the row, with its symbol as one value."""
        return cls(SymbolRow._make(row[:-3]), *row[-3:])
