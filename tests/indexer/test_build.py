"""Building: equal images give equal indexes; a killed build loses nothing; one writer at a time."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from oblist.indexer.build import lock
from oblist.indexer.build.index import build_index
from oblist.indexer.build.lock import hold_lock, lock_path
from oblist.indexer.check.contradictions import contradictions, missing_rows
from oblist.indexer.check.differences import differences
from oblist.indexer.check.uses_by_number import same_uses
from oblist.indexer.errors import ContradictionError, LockedError
from oblist.indexer.image import Image, ImagePlan
from oblist.indexer.records import Class, Definition, End
from oblist.indexer.write.assemble import write_index
from oblist.indexer.write.facts import Build
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer, NotFound
from support.builds.shared_code import share_layers
from support.command import oblist, processes_with, start_oblist, until_it_has_open, write_system
from support.patience import SOON
from support.projects.library_edits import library

FEW_KILLS, KILLS = 2, 20
SEED = 1958
# Building is what is tested here, not what is in SBCL.
pytestmark = pytest.mark.usefixtures("small")


@pytest.mark.full  # test_systems.py does so with systems loaded
def test_two_builds_of_one_image_are_equal(
    bare_index: Path, systems_index: Path, sbcl: Sbcl, tmp_path: Path
) -> None:
    again = tmp_path / "again.db"
    build_index(again, ImagePlan(sbcl), command="once more")
    done = oblist("check-index", "--index", bare_index, "--same-as", again)
    assert done.returncode == 0, done.stdout[:2000]
    # ... and the comparison can tell two images apart.
    done = oblist("check-index", "--index", bare_index, "--same-as", systems_index)
    assert done.returncode == 1
    assert "SB-POSIX" in done.stdout


def test_a_comparison_sees_every_change_of_a_row(tmp_path: Path) -> None:
    changes = {
        "packages": "UPDATE packages SET locked = 1 - locked WHERE name = 'SB-EXT'",
        "symbols": "UPDATE symbols SET type = 'CLASS' WHERE name = 'MAPCAR'",
        "presences": "DELETE FROM presences WHERE symbol_id = 17",
        "definitions": "UPDATE definitions SET arglist = '(X)' WHERE id = 5",
        "symbol_references": "UPDATE symbol_references SET line = coalesce(line, 0) + 1 WHERE id = 7",
        "problems": "INSERT INTO problems VALUES (9999, 'load', 'x', 'system', 'ERROR', 'no', 'f', 1)",
    }
    changed = tmp_path / "changed.db"
    changed.write_bytes(library().read_bytes())
    with closing(sqlite3.connect(library())) as first, closing(sqlite3.connect(changed)) as second:
        for statement in changes.values():
            assert second.execute(statement).rowcount == 1, statement
        found = list(differences(first, second))
    assert {line.split(":")[0] for line in found} == set(changes)


def test_a_comparison_of_uses_sees_every_column(tmp_path: Path) -> None:
    changed = tmp_path / "changed.db"
    changed.write_bytes(library().read_bytes())
    with (
        closing(sqlite3.connect(library())) as first,
        closing(sqlite3.connect(changed, isolation_level=None)) as second,
    ):
        columns = [row[1] for row in first.execute("PRAGMA table_info(symbol_references)") if row[1] != "id"]
        changes = [("symbol_references", column) for column in columns]
        changes += [("callers", column) for column in ("name", "file_id", "toplevel_form")]
        assert same_uses(first, second)
        for table, column in changes:
            second.execute("BEGIN")
            other = f"(SELECT max(coalesce({column}, 0)) - 1 FROM {table})"
            row = f"(SELECT min(id) FROM {table} WHERE {column} IS NOT NULL AND {column} <> {other})"
            done = second.execute(f"UPDATE {table} SET {column} = {other} WHERE id = {row}")
            assert done.rowcount == 1, column
            assert not same_uses(first, second), column
            second.execute("ROLLBACK")
        assert same_uses(first, second)


def test_a_sound_index_has_no_contradiction(systems_index: Path) -> None:
    with closing(sqlite3.connect(systems_index)) as connection:
        assert contradictions(connection) == []


def test_a_schema_that_readers_would_refuse_is_not_published(tmp_path: Path) -> None:
    """As another SQLite might write that of full text."""
    copy = Path(shutil.copyfile(library(), tmp_path / "copy.db"))
    with closing(sqlite3.connect(copy)) as connection:
        tables = ("packages", "symbols", "definitions")
        end = End(*(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables))
        assert missing_rows(connection, end) == []
        connection.execute("CREATE VIEW mine AS SELECT 1")
        assert missing_rows(connection, end) == ["the view mine does not belong in an oblist index"]


def test_an_index_that_somebody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    copy = Path(shutil.copyfile(library(), tmp_path / "copy.db"))
    with closing(sqlite3.connect(copy)) as writer, closing(sqlite3.connect(copy, timeout=0)) as reader:
        assert contradictions(reader) == []
        writer.execute("BEGIN EXCLUSIVE")
        assert contradictions(reader) == ["SQLite cannot read the file: database is locked"]
        writer.rollback()
        writer.execute("UPDATE short_patterns SET total = total + 1")  # a transaction of its own
        assert contradictions(writer) == ["SQLite cannot read the file: another process is writing to it"]


def test_a_broken_index_contradicts_itself(tmp_path: Path) -> None:
    changes = (
        "DELETE FROM presences WHERE symbol_id = 17",
        "UPDATE symbols SET exported = 1 - exported WHERE id = 17",
        "UPDATE definitions SET symbol_id = 999999999 WHERE id = 17",
        "UPDATE callers SET definition_id = NULL, name = NULL WHERE id = 17",
        "UPDATE symbols SET folded = 'x' WHERE id = 17",
        "UPDATE symbols SET type = 'CLASS' WHERE name = 'MAPCAR'",
        "UPDATE definitions SET callers_count = callers_count + 1 WHERE kind = 'macro'",
        "UPDATE symbols SET search_rank = search_rank - 2 WHERE name = 'MAPCAR'",
        "UPDATE definitions SET search_id = id WHERE id = 17",
        "UPDATE short_patterns SET total = total + 1 WHERE pattern = 'ap'",
        "UPDATE short_patterns SET symbols = '[]' WHERE symbols IS NOT NULL",
        "UPDATE used_symbols SET code_callers = code_callers + 1",
        "UPDATE used_symbols SET total = total + 1 WHERE last_id = (SELECT max(id) FROM symbol_references)",
        "UPDATE symbol_references SET relation_id = 16 - relation_id WHERE id = 7",
        "DELETE FROM symbol_references WHERE id = 7",
        "DELETE FROM meta WHERE name = 'complete'",
    )
    sound = library()
    with closing(sqlite3.connect(sound)) as connection:
        assert contradictions(connection) == []
    for statement in changes:
        broken = tmp_path / "broken.db"
        broken.write_bytes(sound.read_bytes())
        with closing(sqlite3.connect(broken)) as connection:
            assert connection.execute(statement).rowcount > 0, statement
            connection.commit()
            assert contradictions(connection), statement


def test_what_contradicts_itself_is_a_problem_and_the_rest_is_published(tmp_path: Path, small: Sbcl) -> None:
    """The image tells of a class without its record; a definition that is missing makes the file useless."""
    with Image(ImagePlan(small)) as image:
        records = list(image.records())
    records.remove(next(record for record in records if isinstance(record, Class)))
    path = tmp_path / "x.db"
    write_index(path, records, Build("test", datetime.now(UTC)), lambda _: None)
    with closing(sqlite3.connect(path)) as connection:
        told = "SELECT subject, part, condition FROM problems WHERE stage = 'check'"
        rows = connection.execute(told).fetchall()
    assert [(part, condition) for _, part, condition in rows] == [
        ("classes, structures and conditions without a row in classes", "CONTRADICTION")
    ]
    with open_index(path) as index:
        assert isinstance(index.describe("car"), DescribeAnswer)
    records.remove(next(record for record in records if isinstance(record, Definition)))
    with pytest.raises(ContradictionError, match=r"definitions: .* rows, but the image has"):
        write_index(tmp_path / "y.db", records, Build("test", datetime.now(UTC)), lambda _: None)


def test_what_only_the_compiler_saw_is_in_no_index(tmp_path: Path) -> None:
    seen = "(eval-when (:compile-toplevel) (defun cl-user::only-while-compiled () 1))\n"
    # Once it is loaded, it has to be compiled again, as if another process had compiled what it needs.
    touched = f'"{tmp_path}/touched" "{tmp_path}/late/late.lisp"'
    again = f"""(unless (probe-file "{tmp_path}/touched")
                  (sleep 1.1)
                  (sb-ext:run-program "touch" '({touched}) :search t))\n"""
    environment = write_system(
        tmp_path / "late", "late", seen + again + "(defun cl-user::from-the-fasl () 1)\n"
    )
    path = tmp_path / "index.db"
    done = oblist("index", "late", "--no-snapshot", "--quiet", "--output", path, environment=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "touched").exists()
    with open_index(path) as index:
        assert isinstance(index.describe("cl-user::from-the-fasl"), DescribeAnswer)
        assert isinstance(index.describe("cl-user::only-while-compiled"), NotFound)


@pytest.mark.parametrize("kills", [FEW_KILLS, pytest.param(KILLS, marks=pytest.mark.full)])
def test_a_build_killed_at_any_moment_leaves_the_old_index_and_no_litter(
    bare_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kills: int
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("OBLIST_NO_SNAPSHOT")
    for number in range(9):
        folder = tmp_path / "cache" / "oblist" / f"fasl-{number}"
        folder.mkdir(parents=True, mode=0o700)
        os.utime(folder, (number, number))
    share_layers(tmp_path / "cache" / "oblist")
    assert oblist("index", "--output", tmp_path / "first.db").returncode == 0  # compiles the dumper
    compiled = {path.name for path in (tmp_path / "cache" / "oblist").glob("fasl-*")}
    assert len(compiled) == 8, "compiled code that nobody uses is dropped"
    assert not {"fasl-0", "fasl-1"} & compiled
    path = tmp_path / "index" / "oblist.db"
    path.parent.mkdir()
    path.write_bytes(bare_index.read_bytes())
    before = path.read_bytes()
    randomly = random.Random(SEED)
    killed, quickest = 0, 10.0
    while killed < kills:
        began = time.monotonic()
        build = start_oblist("index", "--force", "--quiet", "--output", path)
        with suppress(subprocess.TimeoutExpired):  # it may end before that moment
            build.wait(randomly.uniform(0.05, quickest))
            quickest = min(quickest, time.monotonic() - began)
        build.send_signal(signal.SIGKILL)
        build.communicate()
        if build.returncode == -signal.SIGKILL:
            killed += 1
            content = path.read_bytes()
            if content != before:  # killed between the rename and the end
                before = content
        else:
            before = path.read_bytes()
    deadline = time.monotonic() + SOON
    while (left := processes_with(str(tmp_path / "cache"))) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left, "an SBCL outlived the build that was killed"
    done = oblist("check-index", "--index", path)
    assert done.returncode == 0, done.stdout
    done = oblist("index", "--quiet", "--output", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [entry.name for entry in path.parent.iterdir()] == ["oblist.db"]
    # The last builds of both indexes, each with its snapshot.
    kept = list((tmp_path / "cache" / "oblist" / "live").iterdir())
    assert len(kept) == 2
    for folder in kept:
        assert sorted(entry.name for entry in folder.iterdir()) == ["image.core", "record.json", "serve.fasl"]


def test_of_two_builds_at_once_one_wins_and_the_other_says_who_holds_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "oblist.db"
    first, second = (start_oblist("index", "--output", path) for _ in range(2))
    outputs = [build.communicate(timeout=100) for build in (first, second)]
    codes = [first.returncode, second.returncode]
    assert sorted(codes) == [0, 1], outputs
    loser = codes.index(1)
    winner = (first, second)[1 - loser]
    assert f"process {winner.pid}" in outputs[loser][1]
    assert oblist("describe", "car", "--index", path).returncode == 0


def test_in_the_folder_of_a_project_an_index_of_sbcl_alone_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "oblist.db"
    assert oblist("index", "--no-snapshot", "--output", path).stderr == ""
    (tmp_path / "shop.asd").touch()
    assert "oblist index --project ." in oblist("index", "--no-snapshot", "--output", path).stderr


def test_the_lock_is_taken_over_from_a_holder_that_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "oblist.db"
    lock_path(path).write_text("process 1 on another day")
    with hold_lock(path), pytest.raises(LockedError, match="process"), hold_lock(path):
        pass
    assert not lock_path(path).exists()


def test_ctrl_c_while_the_lock_is_being_taken_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    acquire = lock._acquire

    def interrupted(path: Path) -> int | str:
        descriptor = acquire(path)
        signal.raise_signal(signal.SIGINT)
        return descriptor

    monkeypatch.setattr(lock, "_acquire", interrupted)
    with pytest.raises(KeyboardInterrupt), hold_lock(tmp_path / "oblist.db"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_build_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "oblist.db"
    build = start_oblist("index", "--output", path)
    until_it_has_open(build.pid, lock_path(path))
    build.send_signal(signal.SIGINT)
    _, stderr = build.communicate(timeout=60)
    assert build.returncode == 130
    assert stderr.strip() == "oblist: interrupted"
    assert list(tmp_path.iterdir()) == []
