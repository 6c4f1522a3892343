"""SQLite's plans for xref: no scans, and few statements."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.questions.xref import sql as xref_sql
from support.shelf import SOURCE
from support.xref_questions import asked

SMALL = {"packages", "kinds", "relations", "presences"}


@pytest.fixture(scope="module")
def bare(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as opened:
        yield opened


def test_no_statement_of_xref_scans_a_large_table(bare_index: Path) -> None:
    statements = [
        statement
        for table in (
            xref_sql.USES_OF,
            xref_sql.USES_OF_RELATION,
            xref_sql.COUNT_USES,
            xref_sql.COUNT_USES_OF_RELATION,
            xref_sql.NEIGHBOURS,
            xref_sql.NEIGHBOURS_OF_RELATION,
        )
        for statement in table.values()
    ]
    assert len(statements) == 12
    connection = sqlite3.connect(bare_index)
    for statement in statements:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", defaultdict(lambda: 1)).fetchall()
        first = next(row[3] for row in plan if row[3].startswith(("SEARCH", "SCAN")))
        assert first.startswith(("SEARCH symbol_references", "SEARCH definitions")), plan
        scanned = {row[3].split()[1] for row in plan if row[3].startswith("SCAN")}
        assert scanned <= SMALL, plan
    connection.close()


@pytest.mark.parametrize(("name", "most"), [("cl:mapcar", 1000), ("sb-impl::map1", 60), ("cl:if", 8)])
def test_statements_are_bounded_by_what_is_shown(bare: Index, name: str, most: int) -> None:
    asked(bare, "car", "CL", limit=1)
    ran: list[str] = []
    assert bare._connection is not None
    bare._connection.set_trace_callback(ran.append)
    answer = asked(bare, name, "CL")
    bare._connection.set_trace_callback(None)
    assert len(ran) <= most
    assert len(ran) <= 12 + 4 * len(answer.references), len(ran)


def test_the_methods_on_a_class_take_one_statement_however_many_they_are(bare: Index) -> None:
    ran: list[str] = []
    assert bare._connection is not None
    bare._connection.set_trace_callback(ran.append)
    answer = asked(bare, "standard-object", "CL", relation="specializes", limit=1)
    bare._connection.set_trace_callback(None)
    assert answer.total > 10
    assert len([statement for statement in ran if "method_specializers" in statement]) == 1
    assert len(ran) <= 14, ran


def test_the_sample_is_as_the_tests_think(index: Index) -> None:
    assert SOURCE.count("(open-book") == 2
    assert index.information().systems == ["shelf"]
