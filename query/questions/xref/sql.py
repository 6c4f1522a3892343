"""Every SELECT of xref, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import written
from ...index.written import SymbolRow

# The kinds of a symbol's definitions decide what can refer to it.
KINDS_OF_SYMBOL = """
SELECT definitions.kind, definitions.operator, kinds.documentation_type
FROM definitions JOIN kinds ON kinds.kind = definitions.kind
WHERE definitions.symbol_id = :symbol ORDER BY definitions.id
"""


class KindRow(NamedTuple):
    """One row of KINDS_OF_SYMBOL."""

    kind: str
    operator: str | None
    documentation_type: str | None


RELATIONS = "SELECT id, relation FROM relations"


# CROSS JOIN keeps the order of the tables: from one symbol's few references to their callers.
def _callers_from(symbol: str, operator: str) -> str:
    return f"""
FROM symbol_references CROSS JOIN callers ON callers.id = symbol_references.caller_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = callers.file_id
WHERE symbol_references.callee_id = {symbol} AND symbol_references.callee_operator IS {operator}"""


def _callees_from(symbol: str, operator: str) -> str:
    return f"""
FROM definitions CROSS JOIN callers ON callers.definition_id = definitions.id
CROSS JOIN symbol_references ON symbol_references.caller_id = callers.id
CROSS JOIN symbols ON symbols.id = symbol_references.callee_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = callers.file_id
WHERE definitions.symbol_id = {symbol} AND definitions.operator IS {operator}"""


_CALLERS_FROM = _callers_from(":symbol", ":operator")
_CALLEES_FROM = _callees_from(":symbol", ":operator")
_USE = """
SELECT packages.name, symbols.name, source_files.path, symbol_references.line,
       symbol_references.start_column, symbol_references.relation_id, symbol_references.form_number,
       symbol_references.rowid, symbol_references.callee_id, symbol_references.callee_operator,
       callers.definition_id, callers.name, callers.file_id, symbol_references.expansion_id"""
_USE_ORDER = """
ORDER BY packages.name IS NULL, packages.name, symbols.name, source_files.path, symbol_references.line,
         symbol_references.start_column, symbol_references.relation_id, symbol_references.form_number,
         symbol_references.rowid
LIMIT """
_OF_RELATION = " AND symbol_references.relation_id = :relation"
# Code outside definitions is identified by its name and file.
_CALLER = (
    "coalesce(callers.definition_id, coalesce(callers.name, '') || ' ' || coalesce(callers.file_id, ''))"
)
_CALLEE = "symbol_references.callee_id, symbol_references.callee_operator"


def callers_of(symbol: str, operator: str, most: str) -> str:
    """Select the uses of a symbol in order; the arguments are SQL expressions."""
    return _USE + _callers_from(symbol, operator) + _USE_ORDER + most


def callees_of(symbol: str, operator: str, most: str) -> str:
    """Select the callees of a symbol's definitions in order; the arguments are SQL expressions."""
    return _USE + _callees_from(symbol, operator) + _USE_ORDER + most


USES_OF = {
    "callers": callers_of(":symbol", ":operator", ":most"),
    "callees": callees_of(":symbol", ":operator", ":most"),
}
USES_OF_RELATION = {
    "callers": _USE + _CALLERS_FROM + _OF_RELATION + _USE_ORDER + ":most",
    "callees": _USE + _CALLEES_FROM + _OF_RELATION + _USE_ORDER + ":most",
}


class UseRow(NamedTuple):
    """One row of USES_OF, USES_OF_RELATION or METHOD_USES.

    A method that specializes on a class has no relation number.
    """

    package: str | None
    name: str | None
    path: str | None
    line: int | None
    column: int | None
    relation: int | None
    form_number: int | None
    row: int | None
    callee: int
    operator: str | None
    definition: int | None
    code: str | None
    file: int | None
    expansion: int | None

    @property
    def order(self) -> tuple[Any, ...]:
        """The sort key: package, name, path, line and column; None sorts first, as in SQLite."""
        place = [(value is not None, value) for value in (self.name, self.path, self.line, self.column)]
        return (self.package is None, self.package, *place)


# Counts, without the joins that only sorting needs.
_COUNTED_CALLERS = f"""
SELECT count(*), count(DISTINCT {_CALLER})
FROM symbol_references CROSS JOIN callers ON callers.id = symbol_references.caller_id
WHERE symbol_references.callee_id = :symbol AND symbol_references.callee_operator IS :operator"""
_COUNTED_CALLEES = """
SELECT count(*),
       count(DISTINCT symbol_references.callee_id || coalesce(symbol_references.callee_operator, ''))
FROM definitions CROSS JOIN callers ON callers.definition_id = definitions.id
CROSS JOIN symbol_references ON symbol_references.caller_id = callers.id
WHERE definitions.symbol_id = :symbol AND definitions.operator IS :operator"""

COUNT_USES = {"callers": _COUNTED_CALLERS, "callees": _COUNTED_CALLEES}
COUNT_USES_OF_RELATION = {way: text + _OF_RELATION for way, text in COUNT_USES.items()}

# For a tree: the distinct callers, or callees, of one name, each with its first use.
_NEIGHBOUR = """
SELECT packages.name, symbols.name, count(*), source_files.path, min(symbol_references.line),
       callers.definition_id, callers.name, symbol_references.callee_id, symbol_references.callee_operator"""
NEIGHBOURS = {
    "callers": f"{_NEIGHBOUR}{_CALLERS_FROM} GROUP BY {_CALLER}",
    "callees": f"{_NEIGHBOUR}{_CALLEES_FROM} GROUP BY {_CALLEE}",
}
NEIGHBOURS_OF_RELATION = {
    "callers": f"{_NEIGHBOUR}{_CALLERS_FROM}{_OF_RELATION} GROUP BY {_CALLER}",
    "callees": f"{_NEIGHBOUR}{_CALLEES_FROM}{_OF_RELATION} GROUP BY {_CALLEE}",
}


class NeighbourRow(NamedTuple):
    """One row of NEIGHBOURS or NEIGHBOURS_OF_RELATION."""

    package: str | None
    name: str | None
    uses: int
    path: str | None
    line: int | None
    definition: int | None
    code: str | None
    callee: int
    operator: str | None

    @property
    def order(self) -> list[tuple[bool, Any]]:
        """The sort key: package and name, then the first place; None sorts first."""
        return [(value is not None, value) for value in (self.package, self.name, self.path, self.line)]


# The parts of a caller's name, by the number of its definition.
CALLER = f"""
SELECT definitions.kind, definitions.operator, definitions.qualifiers, definitions.specializers,
       kinds.documentation_type, {written.COLUMNS}
FROM definitions
JOIN kinds ON kinds.kind = definitions.kind
JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions.id = :definition
"""


class CallerRow(NamedTuple):
    """One row of CALLER."""

    kind: str
    operator: str | None
    qualifiers: str | None
    specializers: str | None
    documentation_type: str | None
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> CallerRow:
        """Make the row, with its symbol as one value."""
        return cls._make([*row[:5], SymbolRow._make(row[5:])])


CALLEE = f"SELECT {written.COLUMNS} FROM symbols WHERE symbols.id = :symbol"

EXPANSION = "SELECT name FROM expansions WHERE id = :expansion"

LINE = "SELECT text FROM source_lines WHERE file_id = :file AND line = :line"

# Methods that specialize on a class, by the symbol that names it, in the columns of USES_OF.
METHOD_USES = """
SELECT packages.name, symbols.name, source_files.path, definitions.start_line, definitions.start_column,
       NULL, NULL, NULL, :symbol, NULL, definitions.id, NULL, definitions.file_id, NULL
FROM (SELECT DISTINCT definition_id FROM method_specializers WHERE symbol_id = :symbol) AS methods
CROSS JOIN definitions ON definitions.id = methods.definition_id
JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = definitions.file_id
"""

USED_BY_DEFINITION = """
SELECT count(*) FROM callers CROSS JOIN symbol_references ON symbol_references.caller_id = callers.id
WHERE callers.definition_id = :definition AND symbol_references.callee_id = :symbol
"""

USED_WITH_OPERATOR = """
SELECT DISTINCT callee_operator FROM symbol_references
WHERE callee_id = :symbol AND callee_operator IS NOT NULL ORDER BY 1
"""
