"""SQLite's plans: no scan where a search will do, and few statements per question."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.index import written
from oblist.query.questions.apropos import sql as apropos_sql
from support.catalogs.libraries import libraries
from support.statements import columns_of, row_classes, statements

# Tables with a row for each package or kind, and full text, may be read whole.
SMALL = {
    "packages",
    "package_nicknames",
    "package_local_nicknames",
    "package_uses",
    "kinds",
    "meta",
    "relations",
    "roots",
    "source_files",
    "system_dependencies",
    "systems",
    "components",
    "descriptions",
    "releases",
    "json_each",
    "listed",  # a JSON array with the numbers of rows
    "symbols_fts",
    "exported_names_fts",
    "definitions_fts",
    "signatures_fts",
    "releases_fts",
    "CONSTANT",
}
_EVERY_EXPORT = "it looks at the documentation of every export"
_BY_NUMBER = "problems have no order but the one they were found in"
_ANY_CLASS = "any class can be a superclass, so it reads all classes"
_SHORT = "the trigram index has no patterns of one or two characters"
_EMPTY = "the empty pattern is in every name"
_A_PROOF = "a proof compares whole projects"
_AN_EXPORT = "an export contains everything"
# Statements that read a whole table on purpose.
WHOLE = {
    "query.questions.info.sql.COUNTS": "it counts all rows",
    "query.questions.statement.sql.COLUMNS": "it reads the schema, which is small",
    "query.lsp.indexed.sql.ANY_TEXT": "it stops at the first row",
    "query.lsp.indexed.sql.LONE_RETURNS": "once a build, over all texts: a pass for each file takes longer",
    "query.questions.apropos.sql.APROPOS_EXPORTED_CANDIDATES[scan]": _SHORT,
    "query.questions.apropos.sql.APROPOS_EXPORTED_CANDIDATES[all]": _EMPTY,
    "query.browse.sql.UNDOCUMENTED": _EVERY_EXPORT,
    "query.browse.sql.NAMED_QUERIES[undocumented_exports_by_package]": _EVERY_EXPORT,
    "query.index.sql.LOAD_FAILURES": _BY_NUMBER,
    "query.questions.problems.sql.PROBLEMS": _BY_NUMBER,
    **{
        f"query.refactor.proof.sql.FACTS[{what}]": _A_PROOF
        for what in ("definition", "export", "problem", "slot")
    },
    "query.diff.sql.NOT_LOADED": _BY_NUMBER,
    "query.diff.sql.CLASS_LINKS": _ANY_CLASS,
    "query.diff.sql.CLASS_NAMES": _ANY_CLASS,
    "query.diff.sql.SLOTS": _ANY_CLASS,
    "query.diff.sql.DEFAULT_INITARGS": _ANY_CLASS,
    "query.export.sql.MEANINGS": _AN_EXPORT,
    "query.export.sql.USES": _AN_EXPORT,
    "query.export.sql.NAMED_USES": _AN_EXPORT,
    "query.check.sql.RECORDED_CALLS": "it reads all calls in the files of a project",
    "query.questions.search.signatures.sql.TYPE_NAMES": "it looks for a name like one that is misspelt",
    "query.questions.xref.sql.LOOKED_AT": "it counts the files, for a name that is not used",
}

STATEMENTS = statements()


def scanned_tables(plan: list[tuple[int, int, int, str]]) -> set[str]:
    """Return the tables that a plan reads whole, without the subqueries that it materializes."""
    details = [row[3] for row in plan]
    parts = {detail.split()[1] for detail in details if detail.startswith(("CO-ROUTINE", "MATERIALIZE"))}
    return {detail.split()[1] for detail in details if detail.startswith("SCAN")} - parts


def file_for(name: str, index: Path) -> Path:
    """The file that a statement is for: an index, or a catalog."""
    return libraries().catalog if name.startswith("query.catalog.") else index


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_no_statement_scans_a_large_table(name: str, bare_index: Path) -> None:
    with closing(sqlite3.connect(file_for(name, bare_index))) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {STATEMENTS[name]}", defaultdict(lambda: 1)).fetchall()
    assert plan
    scanned = scanned_tables(plan)
    assert (scanned <= SMALL) == (name not in WHOLE), plan


def test_every_row_class_takes_the_columns_of_its_statements(bare_index: Path) -> None:
    described = set()
    with (
        closing(sqlite3.connect(bare_index)) as of_index,
        closing(sqlite3.connect(libraries().catalog)) as of_catalog,
    ):
        for module, row in row_classes():
            text = (row.__doc__ or "").removeprefix("One row of ").partition(".")[0]
            names = re.findall(r"[A-Z][A-Z_]+", text.partition(":")[0].partition(";")[0])
            wanted = {f"{module}.{name}" for name in names}
            found = [key for key in STATEMENTS if key.partition("[")[0] in wanted]
            assert {key.partition("[")[0] for key in found} == wanted != set(), (module, row)
            connection = of_catalog if module.startswith("query.catalog.") else of_index
            for key in found:
                cursor = connection.execute(STATEMENTS[key], defaultdict(lambda: 1))
                assert len(cursor.description) == columns_of(row), (key, row)
            described.update(found)
        for key in sorted(STATEMENTS.keys() - described):
            connection = of_catalog if key.startswith("query.catalog.") else of_index
            columns = len(connection.execute(STATEMENTS[key], defaultdict(lambda: 1)).description)
            symbols = STATEMENTS[key].lstrip().startswith(f"SELECT {written.COLUMNS} FROM") and columns == 4
            by_name = "NAMED_QUERIES" in key or ".FACTS[" in key  # shown, or compared, whatever they are
            assert columns < 3 or symbols or by_name or key.startswith("apropos."), key
    assert len(described) > 40


def test_patterns_of_three_characters_are_searched_not_scanned(bare_index: Path) -> None:
    with closing(sqlite3.connect(bare_index)) as connection:
        for scope in ("present", "external", "accessible"):
            statement = apropos_sql.in_package("trigram", scope, apropos_sql.APROPOS_TYPE)
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", defaultdict(lambda: 1)).fetchall()
            inherited = {"exported_names_fts"} if scope == "accessible" else set()
            assert scanned_tables(plan) == {"symbols_fts"} | inherited, plan
        statement = apropos_sql.APROPOS_EXPORTED_CANDIDATES["trigram"]
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", {"phrase": "x"}).fetchall()
        assert scanned_tables(plan) == {"exported_names_fts"}, plan


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("mapcar", 7),
        ("cl:mapcar", 8),
        ("hash-table-count", 9),
        ("print-object", 10),  # methods in many files, which are compared with those that are there
        ("sb-impl::no-such-name", 11),
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
