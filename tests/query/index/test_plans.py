"""How SQLite answers: no scan where a search will do, and few statements a question."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.questions.apropos import sql as apropos_sql
from support.checkout import ROOT

# Tables with a row for each package or kind, and full text, may be read whole; these statements
# read all of a table on purpose.
SMALL = {
    "packages",
    "package_nicknames",
    "package_local_nicknames",
    "package_uses",
    "kinds",
    "meta",
    "relations",
    "roots",
    "systems",
    "symbols_fts",
    "exported_names_fts",
    "definitions_fts",
    "CONSTANT",
}
WHOLE = {
    "questions.info.sql.COUNTS": "it counts all rows",
}


QUERY = ROOT / "query"


def statements() -> dict[str, str]:
    """Every statement of every module of SQL, by the module's name and its own."""
    paths = [QUERY / "index" / "sql.py", *sorted(QUERY.glob("questions/*/sql.py"))]
    names = [".".join(path.relative_to(QUERY).with_suffix("").parts) for path in paths]
    assert len(names) > 9
    return {
        f"{module}.{name}": value
        for module in names
        for name, value in vars(import_module(f"oblist.query.{module}")).items()
        if name.isupper()
        and not name.startswith("_")
        and isinstance(value, str)
        and value.lstrip().startswith(("SELECT", "WITH"))
    }


def scanned_tables(plan: list[tuple[int, int, int, str]]) -> set[str]:
    """What is read whole; rows that a part of the statement has found do not count, that part does."""
    details = [row[3] for row in plan]
    parts = {detail.split()[1] for detail in details if detail.startswith(("CO-ROUTINE", "MATERIALIZE"))}
    return {detail.split()[1] for detail in details if detail.startswith("SCAN")} - parts


@pytest.mark.parametrize("name", sorted(statements()))
def test_no_statement_scans_a_large_table(name: str, bare_index: Path) -> None:
    connection = sqlite3.connect(bare_index)
    plan = connection.execute(f"EXPLAIN QUERY PLAN {statements()[name]}", defaultdict(lambda: 1)).fetchall()
    connection.close()
    assert plan
    scanned = scanned_tables(plan)
    assert name in WHOLE or scanned <= SMALL, plan


def test_patterns_of_three_characters_are_searched_not_scanned(bare_index: Path) -> None:
    connection = sqlite3.connect(bare_index)
    clauses = (
        apropos_sql.APROPOS_PRESENT,
        apropos_sql.APROPOS_EXTERNAL,
        apropos_sql.APROPOS_ACCESSIBLE,
    )
    for clause in clauses:
        statement = apropos_sql.APROPOS_CANDIDATES["trigram"] + clause + apropos_sql.APROPOS_TYPE
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", defaultdict(lambda: 1)).fetchall()
        assert scanned_tables(plan) == {"symbols_fts"}, plan
    statement = apropos_sql.APROPOS_EXPORTED_CANDIDATES["trigram"]
    plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", {"phrase": "x"}).fetchall()
    assert scanned_tables(plan) == {"exported_names_fts"}, plan
    connection.close()


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("mapcar", 7),
        ("cl:mapcar", 8),
        ("hash-table-count", 9),
        ("print-object", 9),
        ("sb-impl::no-such-name", 6),
    ],
)
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
