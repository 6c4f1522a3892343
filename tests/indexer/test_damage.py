"""Damaged indexes and failing builds: one clear message, the right exit code, nothing lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.errors import OutputError
from oblist.indexer.image import ImagePlan
from oblist.indexer.write.engine import engine_writing
from oblist.lisp.sbcl import Sbcl, SbclError, find_sbcl
from oblist.query import open_index
from oblist.query.errors import IndexDamagedError, IndexMissingError, IndexVersionError, QueryError
from support.command import oblist, write_system
from support.damaged.disks import small_disk_at
from support.damaged.open_files import times_open

QUESTIONS = (["describe", "car"], ["apropos", "car"], ["info"], ["check-index"])

# Building is what is tested here, not what is in SBCL.
pytestmark = pytest.mark.usefixtures("small")


def changed_by(statement: str) -> Callable[[Path], None]:
    """Damage done by an SQL statement."""

    def change(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)

    return change


def become_another_programs(path: Path) -> None:
    path.unlink()
    changed_by("CREATE TABLE t (a)")(path)


def become_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def scribble_over(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(200)
        file.write(b"\xff" * 60_000)


DAMAGE: dict[str, tuple[Callable[[Path], object], type[QueryError]]] = {
    "missing": (Path.unlink, IndexMissingError),
    "empty": (lambda path: path.write_bytes(b""), IndexDamagedError),
    "not SQLite": (lambda path: path.write_bytes(b"(defun hello () 'world)\n" * 100), IndexDamagedError),
    "truncated": (lambda path: os.truncate(path, path.stat().st_size // 2), IndexDamagedError),
    "truncated to its header": (lambda path: os.truncate(path, 90), IndexDamagedError),
    "another program's": (become_another_programs, IndexVersionError),
    "older format": (changed_by("PRAGMA user_version = 0"), IndexVersionError),
    "newer format": (changed_by("PRAGMA user_version = 99"), IndexVersionError),
    "unfinished": (changed_by("DELETE FROM meta WHERE name = 'complete'"), IndexDamagedError),
    "scribbled over": (scribble_over, IndexDamagedError),
    "a folder": (become_a_folder, IndexDamagedError),
}


def damaged(kind: str, folder: Path, sound: Path) -> Path:
    """An index with damage of this ``kind``."""
    path = folder / "oblist.db"
    shutil.copyfile(sound, path)
    DAMAGE[kind][0](path)
    return path


@pytest.mark.parametrize("kind", DAMAGE)
def test_an_index_that_cannot_be_used_is_named_with_what_is_wrong_and_the_cure(
    kind: str, tmp_path: Path, bare_index: Path
) -> None:
    path = damaged(kind, tmp_path, bare_index)
    for question in QUESTIONS:
        done = oblist(*question, "--index", path)
        if question == ["check-index"] and kind in {"unfinished", "truncated", "scribbled over"}:
            # check-index is for these: it has findings, or says that the file cannot be read.
            assert done.returncode in {1, 3}, done.stdout
            continue
        assert done.returncode == 3, (question, done)
        assert done.stdout == ""
        (line,) = done.stderr.splitlines()
        assert line.startswith("oblist: ") and str(path) in line
        assert "oblist index" in line or "--index" in line
    with pytest.raises(DAMAGE[kind][1]) as raised, open_index(path) as index:
        index.describe("car")
    assert str(path) in str(raised.value)


def test_every_way_of_being_damaged_has_its_own_message(tmp_path: Path, bare_index: Path) -> None:
    messages = set()
    for number, kind in enumerate(DAMAGE):
        folder = tmp_path / str(number)
        folder.mkdir()
        done = oblist("describe", "car", "--index", damaged(kind, folder, bare_index))
        messages.add(done.stderr.replace(str(folder), "").partition("(")[0])
    assert len(messages) >= len(DAMAGE) - 2  # not SQLite and cut header; scribbled over has SQLite's words


def test_an_index_replaced_while_it_is_open_is_noticed(tmp_path: Path, bare_index: Path) -> None:
    path = tmp_path / "oblist.db"
    shutil.copyfile(bare_index, path)
    with open_index(path) as index:
        assert index.information().command == "tests"
        new = tmp_path / "new.db"
        shutil.copyfile(bare_index, new)
        changed_by("UPDATE meta SET value = 'another build' WHERE name = 'command'")(new)
        new.replace(path)
        assert index.information().command == "another build"


# Builds that fail


def test_a_file_that_cannot_be_written_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("no database\n" * 100)
    with pytest.raises(sqlite3.DatabaseError) as failed:
        engine_writing(path, ["PRAGMA user_version = 1"]).connect()
    assert times_open(path) == 0, failed


@pytest.fixture
def old(tmp_path: Path, bare_index: Path) -> Iterator[Path]:
    """An index that a failing build must leave intact, and alone in its folder."""
    path = tmp_path / "index" / "oblist.db"
    path.parent.mkdir()
    shutil.copyfile(bare_index, path)
    before = path.read_bytes()
    yield path
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == ["oblist.db"]
    with open_index(path) as index:
        assert index.describe("car")


def assert_failed(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 1, done
    last = done.stderr.splitlines()[-1]
    assert last.startswith("oblist: "), done.stderr
    for word in words:
        assert word in last, last
    assert "Traceback" not in done.stderr


def test_a_missing_sbcl_is_named(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_failed(oblist("index", "--sbcl", "/nowhere/sbcl", "--output", old), "/nowhere/sbcl", "--sbcl")
    assert_failed(
        oblist("index", "--output", old, environment={"PATH": "/nowhere", "SBCL": ""}), "PATH", "sbcl"
    )
    monkeypatch.setenv("SBCL", "/nowhere/else")
    with pytest.raises(SbclError, match="/nowhere/else"):
        find_sbcl()


@pytest.mark.parametrize("program", ["/bin/true", "/bin/cat", "/etc/passwd"])
def test_a_program_that_is_no_sbcl_is_refused(program: str, old: Path) -> None:
    assert_failed(oblist("index", "--sbcl", program, "--output", old), program)


def test_a_system_that_never_finishes_loading_and_cannot_be_interrupted_is_stopped(
    tmp_path: Path, small: Sbcl
) -> None:
    source = "(print :loading)\n(finish-output)\n(sb-sys:without-interrupts (loop (sleep 1)))\n"
    environment = write_system(tmp_path / "endless", "endless", source)
    done = oblist(
        "index", "endless", "--load-timeout", "1", "--output", tmp_path / "x.db", environment=environment
    )
    assert done.returncode == 1
    assert "oblist: the system endless did not load: SBCL-ENDED: SBCL sent nothing for 6 s" in done.stderr
    assert "--load-timeout" in done.stderr
    assert "LOADING" in done.stderr  # what it printed is shown


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of four megabytes."""
    with small_disk_at(tmp_path / "small", 4096) as folder:
        yield folder


def test_a_full_disk_is_named_and_nothing_is_left_on_it(small_disk: Path) -> None:
    path = small_disk / "oblist.db"
    path.write_bytes(b"the old index")
    assert_failed(oblist("index", "--output", path, "--overwrite"), "cannot be written", "full", "--output")
    assert [entry.name for entry in small_disk.iterdir()] == ["oblist.db"]
    assert path.read_bytes() == b"the old index"


def test_a_watch_names_the_folder_that_is_full(small_disk: Path, tmp_path: Path) -> None:
    environment = write_system(tmp_path / "stocked", "stocked", "(defun stocked () 1)\n")
    path = small_disk / "index" / "oblist.db"
    done = oblist(
        "watch", tmp_path / "stocked", "--once", "--no-snapshot", "--output", path, environment=environment
    )
    assert_failed(done, f"The index {path} cannot be written", f"in {path.parent}", "there is no index yet")
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "filled"),
    [(["index", "--project"], True), (["watch", "--once"], True), (["watch", "--once"], False)],
)
def test_a_cache_without_room_is_named(
    command: list[str], filled: bool, small_disk: Path, tmp_path: Path
) -> None:
    """What is compiled for an SBCL fits into four megabytes; its layer, which a watch needs, does not."""
    environment = {**write_system(tmp_path / "stocked", "stocked", ""), "XDG_CACHE_HOME": str(small_disk)}
    if filled:
        (small_disk / "filler").write_bytes(bytes(4_000_000))
    place = ["--no-snapshot", "--output", tmp_path / "x.db"]
    done = oblist(*command, tmp_path / "stocked", *place, environment=environment)
    assert_failed(done, str(small_disk / "oblist"), "XDG_CACHE_HOME")
    assert len(done.stderr.splitlines()) == 1
    assert list(small_disk.glob("oblist/*ing-*")) == []


def test_the_folder_for_what_is_printed_is_named_when_it_is_full(small_disk: Path, tmp_path: Path) -> None:
    source = '(dotimes (i 200000) (format t "~D is printed, and takes room~%" i))\n(finish-output)\n'
    environment = {**write_system(tmp_path / "talker", "talker", source), "TMPDIR": str(small_disk)}
    done = oblist("index", "talker", "--no-snapshot", "--output", tmp_path / "x.db", environment=environment)
    assert done.returncode == 1
    assert f"Printed output is stored in the folder {small_disk}" in done.stderr
    assert "TMPDIR" in done.stderr


GONE = {
    "removed": ("rm -rf {}", "was removed or replaced"),
    "replaced by a file": ("rm -rf {0}; echo > {0}", "was removed or replaced"),
    "linked to nothing": ("rm -rf {0}; ln -s nowhere {0}", "was removed or replaced"),
    "without the new index": ("rm {}/.*.building {}/.*.refreshing", "cannot be written"),
}


@pytest.mark.parametrize("how", GONE)
def test_a_load_that_takes_the_folder_of_the_index_away_is_told(
    how: str, tmp_path: Path, small: Sbcl
) -> None:
    project, folder = tmp_path / "taker", tmp_path / "taker" / ".oblist"
    script, words = GONE[how]
    removal = f'(sb-ext:run-program "/bin/sh" (list "-c" "{script.replace("{}", "{0}").format(folder)}"))'
    environment = write_system(project, "taker", f"(eval-when (:load-toplevel) {removal})\n")
    for command in (["index", "--project"], ["watch", "--once"]):
        done = oblist(*command, project, "--no-snapshot", "--no-userinit", environment=environment)
        assert_failed(done, str(folder), words)
        assert len(done.stderr.splitlines()) == 1
        for left in (folder, project / "nowhere"):
            shutil.rmtree(left, ignore_errors=True)
        folder.unlink(missing_ok=True)


def test_what_is_printed_need_not_be_text(tmp_path: Path, small: Sbcl) -> None:
    octets = "(coerce (loop for i below 2000 collect (mod (* i 37) 256)) '(vector (unsigned-byte 8)))"
    stream = "(sb-sys:make-fd-stream {} :output t :element-type '(unsigned-byte 8) :buffering :full)"
    prints = "".join(
        f"(let ((out {stream.format(number)})) (write-sequence {octets} out) (finish-output out))"
        for number in (1, 2)
    )
    failing = "(error (coerce (list (code-char 255) (code-char #xD800) (code-char 0)) (quote string)))"
    source = f"(defun before ())\n(eval-when (:load-toplevel) {prints})\n{failing}\n"
    environment = write_system(tmp_path / "noise", "noise", source)
    path = tmp_path / "x.db"
    done = oblist("index", "noise", "--no-snapshot", "--output", path, environment=environment)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "oblist: the system noise did not load: SIMPLE-ERROR: " in done.stderr
    with open_index(path) as index:
        assert index.describe("before").status == "internal"  # type: ignore[union-attr]


def test_places_that_cannot_be_written_are_named(tmp_path: Path, sbcl: Sbcl) -> None:
    (tmp_path / "file").write_text("")
    assert_failed(oblist("index", "--output", tmp_path / "file" / "oblist.db"), str(tmp_path / "file"))
    assert_failed(oblist("index", "--output", tmp_path), str(tmp_path), "folder")
    assert_failed(oblist("index", "--output", "/proc/oblist.db"), "/proc")
    with pytest.raises(OutputError):
        build_index(Path("/proc/oblist.db"), ImagePlan(sbcl), command="tests")


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, old: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    done = oblist("index", "--output", old, environment={"XDG_CACHE_HOME": str(tmp_path / "cache")})
    assert_failed(done, "cache", "XDG_CACHE_HOME")
