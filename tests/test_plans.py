"""How SQLite answers: no scan where a search will do, and few statements a question."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from pathlib import Path

import pytest

from query import class_sql, open_index, sql

# Tables with a row for each package or kind, and full text, may be read whole; these statements
# read all of a table on purpose.
SMALL = {
    "packages",
    "package_nicknames",
    "package_uses",
    "kinds",
    "meta",
    "relations",
    "roots",
    "systems",
    "symbols_fts",
    "definitions_fts",
    "CONSTANT",
}
WHOLE = {
    "COUNTS": "it counts all rows",
    "METHOD_SPECIALIZERS": "it is read once for each build",
}


def statements() -> dict[str, str]:
    return {
        name: value
        for name, value in {**vars(sql), **vars(class_sql)}.items()
        if name.isupper() and not name.startswith("_") and isinstance(value, str) and "SELECT" in value[:12]
    }


@pytest.mark.parametrize("name", sorted(statements()))
def test_no_statement_scans_a_large_table(name: str, bare_index: Path) -> None:
    connection = sqlite3.connect(bare_index)
    plan = connection.execute(f"EXPLAIN QUERY PLAN {statements()[name]}", defaultdict(lambda: 1)).fetchall()
    connection.close()
    assert plan
    scanned = {row[3].split()[1] for row in plan if row[3].startswith("SCAN")}
    assert name in WHOLE or scanned <= SMALL, plan


def test_patterns_of_three_characters_are_searched_not_scanned(bare_index: Path) -> None:
    connection = sqlite3.connect(bare_index)
    clauses = (sql.APROPOS_EXPORTED, sql.APROPOS_PRESENT, sql.APROPOS_EXTERNAL, sql.APROPOS_ACCESSIBLE)
    for clause in clauses:
        statement = sql.APROPOS_CANDIDATES["trigram"] + clause + sql.APROPOS_TYPE
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", defaultdict(lambda: 1)).fetchall()
        scanned = {row[3].split()[1] for row in plan if row[3].startswith("SCAN")}
        assert scanned == {"symbols_fts"}, plan
    connection.close()


@pytest.mark.parametrize(("name", "most"), [("mapcar", 4), ("cl:mapcar", 5), ("sb-impl::no-such-name", 6)])
def test_describe_takes_few_statements(name: str, most: int, bare_index: Path) -> None:
    with open_index(bare_index) as index:
        index.describe("car")
        ran: list[str] = []
        assert index._connection is not None
        index._connection.set_trace_callback(ran.append)
        index.describe(name)
        index._connection.set_trace_callback(None)
    ours = [
        statement for statement in ran if statement.lstrip().startswith("SELECT") and "fts_" not in statement
    ]
    assert 1 <= len(ours) <= most, ours


def test_an_index_cannot_be_written_through_the_query_layer(bare_index: Path) -> None:
    before = bare_index.read_bytes()
    with open_index(bare_index) as index:
        assert index._connection is not None
        for statement in ("DELETE FROM symbols", "CREATE TABLE t (a)", "PRAGMA user_version = 7"):
            with pytest.raises(sqlite3.OperationalError, match=r"readonly|read-only|attempt to write"):
                index._connection.execute(statement)
    assert bare_index.read_bytes() == before
