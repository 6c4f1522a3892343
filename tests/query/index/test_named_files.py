"""What an index names is shown only if it is a Lisp file: an index may name any file."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.command_line import run_main

INDEXED = ("[default]", "secret_key = x", "(defvar *x* 1)")
PRESENT = "[default]\nsecret_key = wJalr\n(defvar *x* 1)\n"
SHOWING = (
    "UPDATE definitions SET start_line = 2, start_column = 1, end_line = 2 WHERE file_id = :file",
    "UPDATE symbol_references SET line = 2, start_column = 1, length = 10 "
    "WHERE caller_id IN (SELECT id FROM callers WHERE file_id = :file)",
)


def naming(shelf: Path, folder: Path, path: Path) -> Path:
    """An index that names a file, and has nearly its text."""
    index = folder / "oblist.db"
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
    index = str(naming(shelf[0], tmp_path, path))
    for command in (["xref", "shelf:title"], ["at", f"{path}:2:1"], ["definition", "shelf::page"]):
        done = run_main(*command, "--index", index)
        assert done.code in (0, 1) and f"{path} changed since the index was built" in done.errors, done
        assert ("lines in it are those of now" in done.errors) == shown
        if command[0] != "definition":
            assert ("wJalr" in done.output) == shown
        assert shown or "wJalr" not in done.output
