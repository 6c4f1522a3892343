"""Files whose bytes or schemas have changed: every change is found, and no question fails in another way."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.checksums import append_checksums, wrong_pages
from oblist.query import open_index
from oblist.query.errors import IndexDamagedError, IndexUnusableError
from support.amount import amount
from support.command_line import oblist

_SEED = 1987
_PAGE = 4096
_QUESTIONS = ("shelf:book", "car", "shelf:read-aloud")


@pytest.fixture
def copy(shelf: tuple[Path, Path], tmp_path: Path) -> Path:
    """A copy of an index that was built, with its checksums."""
    return Path(shutil.copyfile(shelf[0], tmp_path / "copy.db"))


def pages_of(path: Path) -> int:
    return int.from_bytes(path.read_bytes()[28:32], "big")


def is_answered(path: Path) -> bool:
    """Whether an index answers a few questions; one that does not says why."""
    try:
        with open_index(path) as index:
            for name in _QUESTIONS:
                index.describe(name)
            index.search("book")
            index.class_("shelf:book")
            index.xref("shelf:title")
            index.information()
    except IndexUnusableError as error:
        assert str(path) in str(error) and "oblist index" in str(error)
        return False
    return True


def places(path: Path) -> Iterator[int]:
    """Places to damage, by a seed: in the header and the schema, in the other pages, and in the checksums."""
    chosen = random.Random(_SEED)
    size, pages = path.stat().st_size, pages_of(path)
    few, schema, more, end = amount((6, 6, 25, 3), (100, 250, 1000, 30))
    yield from (chosen.randrange(_PAGE) for _ in range(few))
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'").fetchall()
    of_schema = [page for (page,) in rows]
    yield from ((chosen.choice(of_schema) - 1) * _PAGE + chosen.randrange(_PAGE) for _ in range(schema))
    yield from (chosen.randrange(_PAGE, pages * _PAGE) for _ in range(more))
    yield from (chosen.randrange(pages * _PAGE, size) for _ in range(end))


@pytest.mark.timeout(900)
def test_every_changed_byte_is_found_and_no_question_fails_in_another_way(copy: Path) -> None:
    pages, answered = pages_of(copy), 0
    assert wrong_pages(copy) == [] and is_answered(copy)
    with copy.open("r+b") as file:
        for place in places(copy):
            file.seek(place)
            (was,) = file.read(1)
            file.seek(place)
            file.write(bytes([was ^ (1 << place % 8)]))
            file.flush()
            os.utime(copy, ns=(place, place))  # another file, as far as anybody can tell
            page = place // _PAGE + 1
            layout = range(16, 18), range(28, 32)  # without the size, there is no telling where checksums are
            found = wrong_pages(copy)
            if any(place in part for part in layout) or page > pages:
                assert found is None, place
            else:
                assert found == [page], place
            answered += is_answered(copy)
            file.seek(place)
            file.write(bytes([was]))
            file.flush()
    assert answered, "most of a file is not read by a question"
    assert wrong_pages(copy) == []


@pytest.mark.timeout(900)
def test_a_file_that_ends_too_early_says_so(copy: Path) -> None:
    every = amount(301, 1)
    for length in reversed(range(0, pages_of(copy) * _PAGE, _PAGE * every)):
        os.truncate(copy, length)
        with pytest.raises(IndexDamagedError, match=r"truncated|the file is empty"):
            open_index(copy)


def test_a_file_that_lost_only_its_checksums_still_answers(copy: Path) -> None:
    os.truncate(copy, pages_of(copy) * _PAGE)
    assert is_answered(copy)
    assert "the checksums at its end are missing" in oblist("check-index", copy).stdout


def test_what_was_changed_is_named_by_its_table(copy: Path, shelf: tuple[Path, Path]) -> None:
    assert oblist("check-index", copy).returncode == 0
    changes = {
        "symbols": "UPDATE symbols SET search_rank = search_rank + 1 WHERE name = 'BOOK'",
        "slots": "UPDATE slots SET initform = '43' WHERE name = 'PAGES'",
        "meta": "UPDATE meta SET value = 'me' WHERE name = 'command'",
    }
    for table, statement in changes.items():
        shutil.copyfile(shelf[0], copy)
        with closing(sqlite3.connect(copy)) as connection, connection:
            assert connection.execute(statement).rowcount == 1
        done = oblist("check-index", copy)
        assert done.returncode == 1
        assert f"the table {table} has been changed since the index was built" in done.stdout, done.stdout


def test_a_file_that_was_written_anew_has_no_checksums(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("VACUUM")
    assert wrong_pages(copy) is None
    done = oblist("check-index", copy)
    assert done.returncode == 1 and "the checksums at its end are missing or wrong" in done.stdout
    append_checksums(copy)
    assert wrong_pages(copy) == []
    assert is_answered(copy)


def test_checksums_that_are_written_again_are_those_of_the_file(copy: Path) -> None:
    """Also where the file grew over the old ones."""
    before = copy.read_bytes()
    append_checksums(copy)
    assert copy.read_bytes() == before
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.executemany(
            "INSERT INTO problems (stage, subject, part, condition, message) VALUES ('a', 'b', 'c', 'd', ?)",
            [("e" * 3000,) for _ in range(200)],
        )
    append_checksums(copy)
    assert wrong_pages(copy) == []
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ((kept,),) = connection.execute("SELECT count(*) FROM problems WHERE message LIKE 'eee%'")
    assert kept == 200


SCHEMAS = {
    "a view more": ("CREATE VIEW mine AS SELECT 1", "the view mine does not belong in an oblist index"),
    "a table more": ("CREATE TABLE mine (a)", "the table mine does not belong in an oblist index"),
    "a trigger": (
        "CREATE TRIGGER mine INSTEAD OF INSERT ON exported_names BEGIN SELECT 1; END",
        "the trigger mine does not belong in an oblist index",
    ),
    "an index less": ("DROP INDEX symbols_by_name", "symbols_by_name is missing"),
    "a column more": (
        "ALTER TABLE meta ADD COLUMN more",
        "the table meta differs from that of an oblist index",
    ),
    "a table less": ("DROP TABLE unread_text", "unread_text is missing"),
    "statistics": ("ANALYZE", "the table sqlite_stat1 does not belong in an oblist index"),
}
_ENDLESS = """
DROP VIEW exported_names; DROP TABLE meta;
CREATE VIEW meta AS WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n)
SELECT 'complete' AS name, max(value) AS value FROM n;
"""


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_file_with_another_schema_is_refused_with_what_differs(copy: Path, kind: str) -> None:
    statement, what = SCHEMAS[kind]
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute(statement)
    append_checksums(copy)
    done = oblist("describe", "car", "--index", copy)
    assert done.returncode == 3
    assert done.stderr == f"oblist: {copy}: {what}. Rebuild it with: oblist index --output {copy}\n"
    assert what in oblist("check-index", copy).stdout


def test_a_view_that_never_ends_is_refused_before_it_is_asked(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.executescript(_ENDLESS)
    for words in (["describe", "car"], ["info"], ["check", "."], ["export", "ctags"], ["query", "SELECT 1"]):
        done = oblist(*words, "--index", copy)
        assert done.returncode == 3
        assert (
            "exported_names is missing" in done.stderr
            or "the view meta differs from that of an oblist index" in done.stderr
        )
