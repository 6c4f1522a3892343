"""query: the user's own SQL on an index, read-only and in bounded time."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import signal
import time
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.errors import StatementError
from oblist.query.questions.statement.ask import FreeSql
from support.command import SECONDS, start_oblist, until_it_has_open
from support.command_line import Run, oblist, run_main
from support.starts.terminals import shown


def ask(index: Path, *arguments: str) -> Run:
    return run_main("query", "--index", str(index), *arguments)


def test_rows_go_out_as_lines_json_and_csv(bare_index: Path) -> None:
    statement = "SELECT name, exported, x'00ff' AS octets, NULL AS empty FROM symbols WHERE name = :name"
    asked = statement, "-P", "name=MAPCAR"
    assert ask(bare_index, *asked).output == "name\texported\toctets\tempty\nMAPCAR\t1\t00ff\t\n"
    answer = json.loads(ask(bare_index, *asked, "--json").output)
    assert answer == {
        "columns": ["name", "exported", "octets", "empty"],
        "rows": [["MAPCAR", 1, "00ff", None]],
        "truncated": False,
    }
    rows = list(csv.reader(io.StringIO(ask(bare_index, *asked, "--csv").output)))
    assert rows == [["name", "exported", "octets", "empty"], ["MAPCAR", "1", "00ff", ""]]


def test_a_terminal_shows_a_table_or_a_line_for_each_value_and_breaks_no_word(bare_index: Path) -> None:
    asked = ("query", "SELECT name, exported, 'two  spaces' AS text FROM symbols WHERE name LIKE 'MAPC%'")
    rows = [line.split("\t") for line in ask(bare_index, asked[1]).output.splitlines()]
    table = shown(*asked, "--index", bare_index, width=60).lines
    assert [line.split(maxsplit=2) for line in table] == rows
    assert len({line.index(row[2]) for line, row in zip(table, rows, strict=True)}) == 1
    told = [f"{name}: {value}" for row in rows[1:] for name, value in zip(rows[0], row, strict=True)]
    values = shown(*asked, "--index", bare_index, width=40).lines
    assert [line for line in values if line] == told
    narrow = shown(*asked, "--index", bare_index, width=20).output
    assert narrow.split() == " ".join(told).split()
    assert shown("query", "SELECT 1 AS one WHERE 0", "--index", bare_index, width=60).lines == [
        "one",
        "no rows",
    ]


def test_a_statement_is_read_from_standard_input(bare_index: Path) -> None:
    done = oblist("query", "-", "--index", bare_index, stdin="SELECT 1 AS one\n")
    assert (done.returncode, done.stdout) == (0, "one\n1\n")


def test_full_text_and_views_can_be_asked(bare_index: Path) -> None:
    found = ask(
        bare_index,
        "SELECT name FROM symbols_fts JOIN symbols ON symbols.id = symbols_fts.rowid"
        " WHERE symbols_fts MATCH '\"maphash\"' ORDER BY name",
    )
    assert found.output == "name\nINFO-MAPHASH\nMAPHASH\n"
    assert ask(bare_index, "SELECT count(*) > 0 AS some FROM undocumented_exports").output == "some\n1\n"


def test_a_limit_cuts_the_rows_and_says_so(bare_index: Path) -> None:
    done = ask(bare_index, "SELECT name FROM symbols", "--limit", "3")
    assert (done.code, len(done.output.splitlines())) == (0, 4)
    assert done.errors == "note: there are more rows than the 3 shown: raise --limit\n"
    assert ask(bare_index, "SELECT name FROM packages LIMIT 3", "--limit", "3").errors == ""


REFUSED = (
    "DELETE FROM meta",
    "UPDATE meta SET value = ''",
    "INSERT INTO meta VALUES ('a', 'b')",
    "DROP TABLE meta",
    "CREATE TABLE t (a)",
    "CREATE TEMP TABLE t (a)",
    "PRAGMA query_only = OFF",
    "PRAGMA writable_schema = ON",
    "ATTACH '/tmp/elsewhere.db' AS other",
    "VACUUM INTO '/tmp/elsewhere.db'",
    "SELECT load_extension('x')",
    "SELECT fts3_tokenizer('x')",
    "UPDATE sqlite_master SET sql = ''",
    "INSERT INTO symbols_fts(symbols_fts) VALUES ('rebuild')",
    "REINDEX",
    "BEGIN",
    "SAVEPOINT s",
    "WITH a AS (SELECT 1) DELETE FROM meta",
)


def test_nothing_but_reading_is_possible(bare_index: Path) -> None:
    before = hashlib.sha256(bare_index.read_bytes()).hexdigest()
    for statement in REFUSED:
        done = ask(bare_index, statement)
        assert (done.code, done.output) == (2, ""), statement
        assert "The statement cannot be answered: " in done.errors
        assert "Traceback" not in done.errors
    assert "does not allow ATTACH" in ask(bare_index, REFUSED[8]).errors
    assert hashlib.sha256(bare_index.read_bytes()).hexdigest() == before
    # After a refusal, the index still answers, without further restrictions.
    with open_index(bare_index) as index:
        sql = FreeSql(index, 10)
        with pytest.raises(StatementError, match="does not allow PRAGMA"):
            sql.rows("PRAGMA user_version", {}, 0)
        assert sql.rows("SELECT 1 AS a", {}, 0).rows == [[1]]
        assert index.describe("mapcar")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("SELEC 1",), "syntax error"),
        (("SELECT missing FROM symbols",), "no such column: missing"),
        (("SELECT 1; SELECT 2",), "one statement at a time"),
        (("SELECT :name",), "binding parameter"),
        (("SELECT 1", "-P", "name=x"), "The statement has no parameter :name."),
        (("SELECT 1", "-P", "name"), "'name' is not NAME=VALUE."),
        (("SELECT 1", "--csv", "--json"), "Give --csv or --json, not both."),
        (("",), "it returns no rows"),
        (("SELECT 'a\0b'",), "null character"),
    ],
)
def test_a_bad_statement_is_explained(bare_index: Path, arguments: tuple[str, ...], message: str) -> None:
    done = ask(bare_index, *arguments)
    assert done.code == 2
    assert message in done.errors


def test_a_statement_that_does_not_end_is_stopped(bare_index: Path) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    start = time.monotonic()
    done = ask(bare_index, endless, "--timeout", "0.2")
    assert done.code == 2
    assert "it took more than 0.2 s" in done.errors
    assert time.monotonic() - start < 60
    huge = ask(bare_index, "SELECT zeroblob(2000000000)")
    assert (huge.code, "too big" in huge.errors) == (2, True)


def test_an_interrupted_statement_ends_the_command(bare_index: Path) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    process = start_oblist("query", "--index", bare_index, "--timeout", "60", endless)
    until_it_has_open(process.pid, bare_index)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err.strip()) == (130, "", "oblist: interrupted")


# Once Datasette is imported, SQLite reports what its callbacks raise.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("callback", ["_authorize", "_out_of_time"])
def test_an_interrupt_within_a_callback_of_sqlite_is_not_lost(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch, callback: str
) -> None:
    def interrupted(*_: object) -> int:
        signal.raise_signal(signal.SIGINT)
        return 0

    with open_index(bare_index) as index:
        free = FreeSql(index, 60)
        monkeypatch.setattr(free, callback, interrupted)
        with pytest.raises(KeyboardInterrupt):
            free.rows("SELECT count(*) FROM symbols, symbols AS others", {}, 0)


def test_rows_that_are_too_big_together_are_refused(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "too big" in ask(bare_index, "SELECT hex(zeroblob(6000000))").errors
    monkeypatch.setattr("oblist.query.questions.statement.ask._MOST_BYTES", 1_000_000)
    for value in ("hex(zeroblob(40000))", "zeroblob(40000)", "printf('%.*c', 40000, 'x') || 'é'"):
        done = ask(bare_index, f"SELECT {value} FROM symbols")
        assert (done.code, done.output) == (2, "")
        assert "its rows exceed 1 MB. Select fewer rows (--limit)" in done.errors
        assert len(ask(bare_index, f"SELECT {value} FROM symbols", "--limit", "3").output) > 120_000


def test_the_clock_is_checked_after_each_row(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "oblist.query.questions.statement.ask._STEPS", 1_000_000_000
    )  # SQLite itself never checks the clock
    with open_index(bare_index) as index, pytest.raises(StatementError, match="it took more than"):
        FreeSql(index, 0.001).rows("SELECT name, printf('%.*c', 9000, 'x') FROM symbols", {}, 0)


def test_a_lack_of_memory_is_reported(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_left(_: object) -> int:
        raise MemoryError

    monkeypatch.setattr("oblist.query.questions.statement.ask._bytes", nothing_left)
    done = ask(bare_index, "SELECT 1")
    assert done.code == 2
    assert "not enough memory for its rows" in done.errors


def test_an_index_that_is_not_there_ends_with_3(tmp_path: Path) -> None:
    done = ask(tmp_path / "missing.db", "SELECT 1")
    assert done.code == 3
    assert "missing.db" in done.errors
