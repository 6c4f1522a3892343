"""SQLite's plans for xref: no scans, and few statements."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
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
            xref_sql.RUNS,
            xref_sql.USES,
        )
        for statement in table.values()
    ]
    assert len(statements) == 4
    with closing(sqlite3.connect(bare_index)) as connection:
        for statement in statements:
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", defaultdict(lambda: 1)).fetchall()
            scanned = {row[3].split()[1] for row in plan if row[3].startswith("SCAN")}
            # "listed" is a JSON array with the numbers of rows; what is grouped is read once more, in order.
            grouped = {name for name in scanned if name.startswith("(subquery-")}
            assert scanned - grouped <= SMALL | {"listed"}, plan


@pytest.mark.parametrize(
    ("name", "most"), [("cl:mapcar", 1000), ("sb-impl::map1", 60), ("sb-kernel::%%make-random-state", 10)]
)
def test_statements_are_bounded_by_what_is_shown(bare: Index, name: str, most: int) -> None:
    asked(bare, "car", "CL", limit=1)
    ran: list[str] = []
    assert bare._connection is not None
    bare._connection.set_trace_callback(ran.append)
    answer = asked(bare, name, "CL")
    bare._connection.set_trace_callback(None)
    assert len(ran) <= most
    assert len(ran) <= 12 + 4 * len(answer.references), len(ran)


def test_the_methods_on_a_class_take_few_statements_however_many_they_are(bare: Index) -> None:
    asked(bare, "car", "CL", limit=1)
    ran: list[str] = []
    assert bare._connection is not None
    bare._connection.set_trace_callback(ran.append)
    answer = asked(bare, "standard-object", "CL", relation="specializes", limit=1)
    bare._connection.set_trace_callback(None)
    assert answer.total > 10
    assert len(ran) <= 14, ran


def test_the_sample_is_as_the_tests_think(index: Index) -> None:
    assert SOURCE.count("(open-book") == 2
    assert index.information().systems == ["shelf"]
