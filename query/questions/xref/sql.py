"""Every SELECT of xref, each with the row that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...index import sql as index_sql
from ...index import written
from ...index.relations import DEFINING
from ...index.written import SymbolRow

# The kinds of a symbol's definitions decide what can refer to it. Of very many methods, a few are enough.
KINDS_OF_SYMBOL = f"""
SELECT definitions.kind, definitions.operator, kinds.documentation_type
FROM definitions JOIN kinds ON kinds.kind = definitions.kind
WHERE definitions.id IN ({index_sql.few_definitions("16")})
ORDER BY definitions.id
"""


class KindRow(NamedTuple):
    """One row of KINDS_OF_SYMBOL."""

    kind: str
    operator: str | None
    documentation_type: str | None


RELATIONS = "SELECT id, relation FROM relations"


class RunRow(NamedTuple):
    """One row of RUNS: uses of one relation, or of all that are shown together, if ``relation`` is None.

    For callers they are the rows from ``first`` to ``last``, for callees those that ``uses`` lists as JSON;
    ``unspecialized`` is whether these are parameters without a specializer, which specialize on T. Of all
    that are shown together, ``code_callers`` are the callers by the relations that SBCL records, of several.
    """

    relation: int | None
    total: int
    others: int
    first: int | None
    last: int | None
    uses: str | None
    unspecialized: bool
    code_callers: int | None
    operator: str | None

    def is_part_of(self, whole: RunRow) -> bool:
        """Whether this run of callers is a part of ``whole``, in which its others are counted."""
        return (whole.first or 0) <= (self.first or 0) <= (whole.last or 0)


RUNS = {
    "callers": """
SELECT relation_id, total, callers, first_id, last_id, NULL, 0, code_callers, operator
FROM used_symbols WHERE symbol_id = :symbol AND (operator IS :operator OR operator IS :other)
ORDER BY relation_id, first_id
""",
    "callees": """
SELECT relation_id, total, callees, NULL, NULL, uses,
       relation_id = (SELECT id FROM relations WHERE relation = 'specializes') AND EXISTS
       (SELECT 1 FROM symbol_references AS used JOIN symbols ON symbols.id = used.callee_id
        JOIN packages ON packages.id = symbols.package_id
        WHERE used.id = json_extract(uses, '$[0]') AND symbols.name = 'T' AND packages.name = 'COMMON-LISP'),
       NULL, operator
FROM using_symbols WHERE symbol_id = :symbol AND operator IS :operator ORDER BY relation_id, rowid
""",
}

# Code outside definitions is one caller by its name and file.
CALLER = "coalesce(callers.definition_id, coalesce(callers.name, '') || ' ' || coalesce(callers.file_id, ''))"
_USE = """
SELECT packages.name, symbols.name, source_files.path, used.line, used.start_column, used.relation_id,
       used.form_number, used.id, used.callee_id, used.callee_operator, callers.definition_id, callers.name,
       callers.file_id, used.expansion_id, used.length"""
_OF_CALLER = """
CROSS JOIN callers ON callers.id = used.caller_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = callers.file_id"""
_OF_CALLEE = """
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN symbols ON symbols.id = used.callee_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = callers.file_id"""

# CROSS JOIN keeps the order of the tables, so that rows come in the order of the run.
USES = {
    "callers": f"""{_USE}
FROM symbol_references AS used {_OF_CALLER}
WHERE used.id BETWEEN :first AND :last ORDER BY used.id LIMIT :most OFFSET :skipped
""",
    "callees": f"""{_USE}
FROM json_each(:uses) AS listed CROSS JOIN symbol_references AS used ON used.id = listed.value {_OF_CALLEE}
ORDER BY listed.key
""",
}

# All uses of several symbols, in the order of files and places.
USES_OF_SYMBOLS = f"""{_USE}
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IS NOT NULL
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
{_OF_CALLER}
ORDER BY callers.file_id, used.line, used.start_column
"""
# The same in some files, without the places that define the symbols, in no particular order.
USES_IN_FILES = f"""{_USE}
FROM json_each(:symbols) AS listed
CROSS JOIN used_symbols ON used_symbols.symbol_id = listed.value AND used_symbols.relation_id IS NOT NULL
  AND used_symbols.relation_id NOT IN {DEFINING}
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
{_OF_CALLER}
WHERE callers.file_id IN (SELECT value FROM json_each(:files))
"""

# The methods that some files define for the generic functions of others, as uses of these.
METHODS_IN_FILES = """
SELECT packages.name, symbols.name, source_files.path, definitions.start_line, definitions.start_column,
       (SELECT id FROM relations WHERE relation = 'defines'), NULL, 0, definitions.symbol_id,
       definitions.operator, definitions.id, NULL, definitions.file_id, NULL, NULL
FROM json_each(:symbols) AS listed
CROSS JOIN definitions ON definitions.symbol_id = listed.value AND definitions.kind = 'method'
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
CROSS JOIN source_files ON source_files.id = definitions.file_id
WHERE definitions.file_id IN (SELECT value FROM json_each(:files))
  AND NOT EXISTS
    (SELECT 1 FROM definitions AS own
     WHERE own.symbol_id = definitions.symbol_id AND own.operator IS definitions.operator
       AND own.kind = 'generic-function' AND own.file_id IN (SELECT value FROM json_each(:files)))
"""

# The distinct callers that make the uses of several runs.
CALLERS_OF_RUNS = f"""
SELECT count(DISTINCT {CALLER}) FROM json_each(:runs) AS listed
CROSS JOIN symbol_references AS used ON used.id BETWEEN listed.value ->> 0 AND listed.value ->> 1
CROSS JOIN callers ON callers.id = used.caller_id
"""

# The definitions of a name that are its companions, as callers.
COMPANIONS = """
SELECT callers.id FROM definitions CROSS JOIN callers ON callers.definition_id = definitions.id
WHERE definitions.symbol_id = :symbol AND definitions.kind <> 'method' AND definitions.operator IS :operator
  AND definitions.kind IN (SELECT value FROM json_each(:companions))
"""
OWN_USES = """
SELECT used.id FROM json_each(:uses) AS listed CROSS JOIN symbol_references AS used ON used.id = listed.value
WHERE used.caller_id NOT IN (SELECT value FROM json_each(:companions)) ORDER BY listed.key
"""
NUMBER_OF_CALLEES = """
SELECT count(*) FROM
  (SELECT DISTINCT used.callee_id, used.callee_operator
   FROM json_each(:uses) AS listed CROSS JOIN symbol_references AS used ON used.id = listed.value)
"""

# The packages of the callers that make these uses.
PACKAGES_OF_USES = f"""
SELECT used.id, packages.name
FROM json_each(:uses) AS listed CROSS JOIN symbol_references AS used ON used.id = listed.value {_OF_CALLER}
"""
# The numbers of uses by the package of the callee.
CALLEES_BY_PACKAGE = """
SELECT packages.name, count(*)
FROM json_each(:uses) AS listed CROSS JOIN symbol_references AS used ON used.id = listed.value
CROSS JOIN symbols ON symbols.id = used.callee_id
LEFT JOIN packages ON packages.id = symbols.package_id
GROUP BY packages.id
"""


def callers_of(symbol: str, operator: str, most: str) -> str:
    """Select the uses of a symbol in order; the arguments are SQL expressions."""
    return f"""{_USE}
FROM used_symbols CROSS JOIN symbol_references AS used ON used.id BETWEEN first_id AND last_id {_OF_CALLER}
WHERE used_symbols.symbol_id = {symbol} AND used_symbols.operator IS {operator}
  AND used_symbols.relation_id IS NOT NULL
ORDER BY used_symbols.relation_id, used.id LIMIT {most}"""


def callees_of(symbol: str, operator: str, most: str) -> str:
    """Select the callees of a symbol's definitions in order; the arguments are SQL expressions."""
    return f"""{_USE}
FROM using_symbols CROSS JOIN json_each(using_symbols.uses) AS listed
CROSS JOIN symbol_references AS used ON used.id = listed.value {_OF_CALLEE}
WHERE using_symbols.symbol_id = {symbol} AND using_symbols.operator IS {operator}
ORDER BY using_symbols.relation_id, listed.key LIMIT {most}"""


class UseRow(NamedTuple):
    """One row of USES, USES_OF_SYMBOLS, USES_IN_FILES or METHODS_IN_FILES."""

    package: str | None
    name: str | None
    path: str | None
    line: int | None
    column: int | None
    relation: int
    form_number: int | None
    row: int
    callee: int
    operator: str | None
    definition: int | None
    code: str | None
    file: int | None
    expansion: int | None
    length: int | None

    @property
    def order(self) -> tuple[Any, ...]:
        """The sort key within a relation: package, name, path, line, column and form.

        None sorts first, but last for packages.
        """
        place = (self.name, self.operator, self.path, self.line, self.column, self.form_number)
        return (self.package is None, self.package or "", *((one is not None, one) for one in place))


# For a tree: the first uses of a run.
CALLER_USES = f"""
SELECT used.id, packages.name, symbols.name, source_files.path, used.line, callers.definition_id,
       callers.name, callers.file_id
FROM symbol_references AS used {_OF_CALLER}
WHERE used.id BETWEEN :first AND :last ORDER BY used.id LIMIT :most
"""


class CallerUseRow(NamedTuple):
    """One row of CALLER_USES."""

    use: int
    package: str | None
    name: str | None
    path: str | None
    line: int | None
    definition: int | None
    code: str | None
    file: int | None

    @property
    def caller(self) -> tuple[int] | tuple[str | None, int | None]:
        """Who makes the use: a definition, or code outside, which is identified by its name and file."""
        return (self.code, self.file) if self.definition is None else (self.definition,)


# The distinct callees of a name, each with its first use, by package and name, then by the place of that use.
EACH_CALLEE = f"""
SELECT package, name, uses, path, line, callee, operator
FROM (SELECT packages.name AS package, symbols.name AS name, count(*) AS uses, source_files.path AS path,
             min(used.line) AS line, used.callee_id AS callee, used.callee_operator AS operator
      FROM using_symbols CROSS JOIN json_each(using_symbols.uses) AS listed
      CROSS JOIN symbol_references AS used ON used.id = listed.value {_OF_CALLEE}
      WHERE using_symbols.symbol_id = :symbol AND using_symbols.operator IS :operator
        AND using_symbols.relation_id IN (SELECT value FROM json_each(:relations))
        AND used.caller_id NOT IN (SELECT value FROM json_each(:companions))
      GROUP BY callee_id, callee_operator)
ORDER BY package, name, path, line, callee, operator
"""


class EachCalleeRow(NamedTuple):
    """One row of EACH_CALLEE."""

    package: str | None
    name: str | None
    uses: int
    path: str | None
    line: int | None
    callee: int
    operator: str | None

    @property
    def named(self) -> tuple[int, str | None]:
        """The callee: a symbol, and SETF for its setf function."""
        return self.callee, self.operator


# The origins of files, systems or roots, that are the project's; none if no system was asked for.
PROJECT_ORIGINS = """
SELECT name FROM systems WHERE asked
UNION SELECT name FROM roots WHERE name = 'project' AND EXISTS (SELECT 1 FROM systems WHERE asked)
"""
# The origins of names, each a symbol with its operator: that of the file of its first definition with one,
# which for a generic function is not a method, or the system of its package.
ORIGINS = """
SELECT symbol, named_operator, coalesce(
    (SELECT coalesce(systems.name, roots.name) FROM definitions
     CROSS JOIN source_files ON source_files.id = definitions.file_id
     LEFT JOIN systems ON systems.id = source_files.system_id
     LEFT JOIN roots ON roots.id = source_files.root_id
     WHERE definitions.symbol_id = symbol AND definitions.kind <> 'method'
       AND definitions.operator IS named_operator
     ORDER BY definitions.id LIMIT 1),
    (SELECT systems.name FROM packages JOIN systems ON systems.id = packages.system_id
     WHERE packages.id = symbols.package_id))
FROM (SELECT value ->> 0 AS symbol, value ->> 1 AS named_operator FROM json_each(:names)) AS listed
CROSS JOIN symbols ON symbols.id = symbol
"""


class OriginRow(NamedTuple):
    """One row of ORIGINS; SBCL's own names are of ``sbcl``, those without a place of None."""

    symbol: int
    operator: str | None
    origin: str | None


# The parts of callers' names, by the numbers of their definitions.
CALLERS = f"""
SELECT definitions.id, definitions.kind, definitions.operator, definitions.qualifiers,
       definitions.specializers, kinds.documentation_type, {written.COLUMNS}
FROM json_each(:definitions) AS listed
CROSS JOIN definitions ON definitions.id = listed.value
CROSS JOIN kinds ON kinds.kind = definitions.kind
CROSS JOIN symbols ON symbols.id = definitions.symbol_id
"""


class CallerRow(NamedTuple):
    """One row of CALLERS."""

    definition: int
    kind: str
    operator: str | None
    qualifiers: str | None
    specializers: str | None
    documentation_type: str | None
    symbol: SymbolRow

    @classmethod
    def of(cls, row: Sequence[Any]) -> CallerRow:
        """Make the row, with its symbol as one value."""
        return cls._make([*row[:6], SymbolRow._make(row[6:])])


CALLEES = f"""
SELECT {written.COLUMNS} FROM json_each(:symbols) AS listed CROSS JOIN symbols ON symbols.id = listed.value
"""
KINDS_OF_CALLEES = """
SELECT definitions.symbol_id, definitions.kind, definitions.operator, kinds.documentation_type
FROM json_each(:symbols) AS listed
CROSS JOIN definitions ON definitions.symbol_id = listed.value
CROSS JOIN kinds ON kinds.kind = definitions.kind
ORDER BY definitions.id
"""


class KindOfCalleeRow(NamedTuple):
    """One row of KINDS_OF_CALLEES."""

    symbol: int
    kind: str
    operator: str | None
    documentation_type: str | None


EXPANSIONS = """
SELECT expansions.id, expansions.name FROM json_each(:expansions) AS listed
CROSS JOIN expansions ON expansions.id = listed.value
"""

# ``places`` are arrays of a file and a line.
LINES = """
SELECT file_id, line, text FROM
  (SELECT value ->> 0 AS file, value ->> 1 AS number FROM json_each(:places)) AS listed
CROSS JOIN source_lines ON file_id = file AND line = number
"""


class LineRow(NamedTuple):
    """One row of LINES."""

    file: int
    line: int
    text: str


USED_WITH_OPERATOR = """
SELECT DISTINCT operator FROM used_symbols
WHERE symbol_id = :symbol AND operator IS NOT NULL ORDER BY 1
"""

# The uses of the other function names of a symbol.
USES_OF_OTHER_NAMES = """
SELECT used_symbols.operator, sum(total) FROM used_symbols JOIN relations ON relations.id = relation_id
WHERE symbol_id = :symbol AND used_symbols.operator IS NOT :operator AND relation <> 'defines'
GROUP BY 1 ORDER BY 1
"""

# How often the methods of a generic function call the next method: fewer uses than its methods make in all.
NEXT_METHODS = """
SELECT count(*) FROM symbols
CROSS JOIN packages ON packages.id = symbols.package_id AND packages.name = 'COMMON-LISP'
CROSS JOIN used_symbols ON used_symbols.symbol_id = symbols.id
  AND used_symbols.relation_id = (SELECT id FROM relations WHERE relation = 'calls')
CROSS JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN definitions ON definitions.id = callers.definition_id AND definitions.kind = 'method'
  AND definitions.symbol_id = :symbol AND definitions.operator IS :operator
WHERE symbols.name = 'CALL-NEXT-METHOD'
"""

# Whether any package exports the symbol.
EXPORTED = "SELECT exported FROM symbols WHERE id = :symbol"

# What was looked at: the files whose text is known, those of the project's own systems, the files whose text
# is not known, texts that only a reader macro can read, and the places in the project's systems that make
# names at run time.
LOOKED_AT = """
SELECT (SELECT count(*) FROM source_files WHERE sha256 IS NOT NULL),
       (SELECT count(*) FROM source_files JOIN systems ON systems.id = system_id
        WHERE systems.asked AND sha256 IS NOT NULL AND source_files.path NOT LIKE '%.asd'),
       (SELECT count(*) FROM source_files WHERE sha256 IS NULL),
       (SELECT count(*) FROM unread_text),
       (SELECT count(*) FROM symbols
        JOIN packages ON packages.id = symbols.package_id
        JOIN used_symbols ON used_symbols.symbol_id = symbols.id AND used_symbols.operator IS NULL
        JOIN relations ON relations.id = used_symbols.relation_id AND relations.relation IN ('calls', 'names')
        JOIN symbol_references AS used ON used.id BETWEEN used_symbols.first_id AND used_symbols.last_id
        JOIN callers ON callers.id = used.caller_id
        JOIN source_files ON source_files.id = callers.file_id
        JOIN systems ON systems.id = source_files.system_id AND systems.asked
        WHERE (packages.name = 'COMMON-LISP'
               AND symbols.name IN ('INTERN', 'FIND-SYMBOL', 'READ-FROM-STRING'))
           OR (symbols.name IN ('SYMBOL-CALL', 'INTERN*', 'FIND-SYMBOL*') AND packages.name LIKE 'UIOP%'))
"""


class LookedAtRow(NamedTuple):
    """One row of LOOKED_AT."""

    files: int
    own: int
    missing: int
    unread: int
    made: int


# Where files are below their roots: another index may have the same file elsewhere.
PLACES = """
SELECT source_files.id, roots.name, source_files.relative_path
FROM json_each(:files) AS listed CROSS JOIN source_files ON source_files.id = listed.value
LEFT JOIN roots ON roots.id = source_files.root_id
"""


class PlaceRow(NamedTuple):
    """One row of PLACES."""

    file: int
    root: str | None
    path: str | None
