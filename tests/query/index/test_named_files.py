"""Present text is shown only of Lisp files that the index may name: it may come from anybody."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.build_records import BuildRecord, BuildRecords
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import find_sbcl
from oblist.query.api import open_index
from support.command_line import run_main

INDEXED = ("[default]", "secret_key = x", "(defvar *x* 1)")
PRESENT = "[default]\nsecret_key = wJalr\n(defvar *x* 1)\n"
SHOWING = (
    "UPDATE definitions SET start_line = 2, start_column = 1, end_line = 2 WHERE file_id = :file",
    "UPDATE symbol_references SET line = 2, start_column = 1, length = 10 "
    "WHERE caller_id IN (SELECT id FROM callers WHERE file_id = :file)",
)


def naming(shelf: Path, index: Path, path: Path) -> Path:
    """An index that names a file, and has nearly its text."""
    index.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(shelf, index)
    with closing(sqlite3.connect(index)) as connection, connection:
        ((file,),) = connection.execute("SELECT id FROM source_files WHERE recorded LIKE '%shelf.lisp'")
        connection.execute("DELETE FROM source_lines WHERE file_id = ?", (file,))
        lines = [(file, number, text) for number, text in enumerate(INDEXED, 1)]
        connection.executemany("INSERT INTO source_lines VALUES (?, ?, ?)", lines)
        connection.execute("UPDATE source_files SET path = ?, size = 5 WHERE id = ?", (str(path), file))
        for statement in SHOWING:
            connection.execute(statement, {"file": file})
    return index


@pytest.mark.parametrize(
    ("name", "target", "shown"),
    [
        ("x.lisp", None, True),
        ("x.LISP", None, True),
        ("x.lisp", "y.cl", True),
        ("credentials", None, False),
        ("lisp", None, False),
        ("x.lisp.key", None, False),
        ("x.lisp", "credentials", False),
    ],
)
def test_lines_of_now_are_those_of_lisp_files(
    shelf: tuple[Path, Path], tmp_path: Path, name: str, target: str | None, shown: bool
) -> None:
    path = tmp_path / name
    (tmp_path / target if target else path).write_text(PRESENT)
    if target:
        path.symlink_to(target)
    shows(naming(shelf[0], tmp_path / "oblist.db", path), path, shown)


@pytest.mark.parametrize(
    ("index", "options", "shown"),
    [
        ("project/oblist.db", (), True),
        ("project/.oblist/oblist.db", (), True),
        ("oblist.db", (), True),
        ("project/src/oblist.db", (), False),
        ("downloads/oblist.db", (), False),
        ("downloads/.oblist/oblist.db", (), False),
        ("downloads/oblist.db", ("--root", "shelf=FOLDER"), True),
    ],
)
def test_they_are_below_the_folder_of_the_index_or_a_root_that_was_given(
    shelf: tuple[Path, Path], tmp_path: Path, index: str, options: tuple[str, ...], shown: bool
) -> None:
    path = tmp_path / "project" / "x.lisp"
    path.parent.mkdir()
    path.write_text(PRESENT)
    made = naming(shelf[0], tmp_path / index, path)
    shows(made, path, shown, *(one.replace("FOLDER", str(path.parent)) for one in options))


def test_the_environment_gives_roots_too(
    shelf: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "project" / "x.lisp"
    path.parent.mkdir()
    path.write_text(PRESENT)
    made = naming(shelf[0], tmp_path / "downloads" / "oblist.db", path)
    shows(made, path, False)
    monkeypatch.setenv("OBLIST_ROOTS", f"shelf={path.parent}")
    shows(made, path, True)


def test_an_index_in_the_home_folder_is_not_one_of_all_that_is_there(
    shelf: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / "x.lisp"
    path.write_text(PRESENT)
    shows(naming(shelf[0], tmp_path / "oblist.db", path), path, False)


def test_an_index_that_was_built_here_may_name_files_anywhere(
    shelf: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "x.lisp"
    path.write_text(PRESENT)
    index = naming(shelf[0], tmp_path / "elsewhere" / "oblist.db", path)
    shows(index, path, False)
    with open_index(index) as opened:
        record = BuildRecord.of(opened.facts["build_id"], index, find_sbcl(), [], Setup())
    BuildRecords(tmp_path / "cache" / "oblist").publish(record)
    shows(index, path, True)
    copy = index.with_name("copy.db")
    shutil.copy(index, copy)
    shows(copy, path, False)


def shows(made: Path, path: Path, shown: bool, *options: str) -> None:
    """Whether the commands that show lines show those of now."""
    index = str(made)
    for command in (["xref", "shelf:title"], ["at", f"{path}:2:1"], ["definition", "shelf::page"]):
        done = run_main(*command, "--index", index, *options)
        assert done.code in (0, 1) and f"{path} has changed since the index was built" in done.errors, done
        assert ("line numbers in it are current" in done.errors) == shown
        if command[0] != "definition":
            assert ("wJalr" in done.output) == shown
        assert shown or "wJalr" not in done.output
