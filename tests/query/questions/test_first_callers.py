"""The first callers of a name are those that a look at all its uses finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oblist.query import Index, open_index
from oblist.query.questions.xref.first_callers import first_callers
from oblist.query.questions.xref.references import relation_names
from support.amount import amount

USES = """
SELECT used.relation_id, packages.name, symbols.name, source_files.path, used.line, callers.definition_id,
       callers.name, callers.file_id
FROM used_symbols CROSS JOIN symbol_references AS used ON used.id BETWEEN first_id AND last_id
CROSS JOIN callers ON callers.id = used.caller_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
LEFT JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = callers.file_id
WHERE used_symbols.symbol_id = ? AND used_symbols.operator IS ? AND used_symbols.relation_id IS NOT NULL
"""
RECORDED = {"calls", "macroexpands", "references", "sets", "binds"}


@pytest.fixture(scope="module")
def bare(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as opened:
        yield opened


def callers_by_all_uses(index: Index, symbol: int, operator: str | None, relations: set[int]) -> list[Any]:
    """All callers in order: a key, the definition, the code, the number of uses, path and line."""
    found: dict[tuple[Any, ...], list[Any]] = {}
    for relation, package, name, path, line, definition, code, file in index.connection.execute(
        USES, [symbol, operator]
    ):
        if relation in relations:
            caller = (definition,) if definition is not None else (code, file)
            found.setdefault(caller, []).append((package, name, path, line, definition, code, file))
    callers = []
    for uses in found.values():
        first = min(uses, key=lambda use: (use[3] is None, use[3] or 0))
        package, name, path, line, definition, code, file = first
        key = (
            *(package is None, package or "", name or "", path is not None, path or ""),
            *(line is not None, line or 0, definition is None, definition or 0, code or "", file or 0),
        )
        callers.append((key, definition, code, len(uses), path, line))
    return sorted(callers)


def test_first_callers_are_those_that_all_uses_have(bare: Index) -> None:
    names = relation_names(bare)
    recorded = {number for number, name in names.items() if name in RECORDED}
    every = bare.connection.execute(
        "SELECT symbol_id, operator, max(callers) FROM used_symbols GROUP BY 1, 2 ORDER BY 3 DESC"
    ).fetchall()
    asked = amount([*every[:10], *every[10::97]], every)
    assert len(asked) > 100
    several = 0
    for symbol, operator, _ in asked:
        present = {
            relation
            for (relation,) in bare.connection.execute(
                "SELECT relation_id FROM used_symbols WHERE symbol_id = ? AND operator IS ?",
                [symbol, operator],
            )
        }
        several += len(present & recorded) > 1
        for relations in (recorded, *({one} for one in sorted(present & set(names)))):
            expected = callers_by_all_uses(bare, symbol, operator, relations)
            for most in (1, 3, 20, 1000):
                found = first_callers(bare, symbol, operator, frozenset(relations), most)
                assert [tuple(one) for one in found.callers] == [one[1:] for one in expected[:most]], symbol
                assert found.total == len(expected), (symbol, relations)
    assert several > 3
