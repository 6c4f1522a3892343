"""Every SELECT of examples, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

# The runs of uses from which examples are taken.
RUNS = """
SELECT relations.relation, used_symbols.total, used_symbols.first_id, used_symbols.last_id FROM used_symbols
JOIN relations ON relations.id = used_symbols.relation_id
WHERE used_symbols.symbol_id = :symbol AND used_symbols.operator IS :operator
  AND relations.relation IN ('calls', 'macroexpands', 'instantiates', 'names')
ORDER BY used_symbols.relation_id, used_symbols.first_id
"""


class ExampleRunRow(NamedTuple):
    """One row of RUNS."""

    relation: str
    total: int
    first: int
    last: int


# Those of the listed uses that the text shows.
USES = """
SELECT used.line, used.start_column, callers.file_id, callers.definition_id, callers.name,
       source_files.path, systems.name, roots.name
FROM json_each(:uses) AS listed CROSS JOIN symbol_references AS used ON used.id = listed.value
CROSS JOIN callers ON callers.id = used.caller_id
CROSS JOIN source_files ON source_files.id = callers.file_id
LEFT JOIN roots ON roots.id = source_files.root_id
LEFT JOIN systems ON systems.id = source_files.system_id
WHERE used.start_column IS NOT NULL AND used.expansion_id IS NULL
"""


class ExampleUseRow(NamedTuple):
    """One row of USES."""

    line: int
    column: int
    file: int
    definition: int | None
    code: str | None
    path: str
    system: str | None
    root: str | None


# The definitions of a symbol, with the files and systems in which they are.
HOMES = """
SELECT definitions.id, definitions.file_id, systems.name, definitions.arglist, symbols.type
FROM symbols CROSS JOIN definitions ON definitions.symbol_id = symbols.id
LEFT JOIN source_files ON source_files.id = definitions.file_id
LEFT JOIN systems ON systems.id = source_files.system_id
WHERE symbols.id = :symbol
"""


class HomeRow(NamedTuple):
    """One row of HOMES."""

    definition: int
    file: int | None
    system: str | None
    arglist: str | None
    type: str


LINES = """
SELECT text FROM source_lines WHERE file_id = :file AND line BETWEEN :first AND :last ORDER BY line
"""
