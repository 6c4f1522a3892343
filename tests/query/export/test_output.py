"""export -o replaces an existing file only if that was clearly meant."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import pytest

from support.command import OBLIST
from support.command_line import Run, run_main


def export(form: str, index: Path, path: Path) -> Run:
    return run_main("export", form, "--index", str(index), "-o", str(path))


@pytest.mark.parametrize("form", ["ctags", "etags", "scip"])
def test_no_database_is_replaced(shelf: tuple[Path, Path], tmp_path: Path, form: str) -> None:
    index, other, link = (tmp_path / name for name in ("oblist.db", "other.db", "link"))
    shutil.copy(shelf[0], index)
    link.symlink_to(index)
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE mine (precious)")
    before = index.read_bytes(), other.read_bytes()
    for path, message in (
        (index, "is the index being exported"),
        (link, "is the index being exported"),
        (other, "is an SQLite database"),
    ):
        done = export(form, index, path)
        assert (done.code, done.output) == (1, "")
        assert message in done.errors
    assert (index.read_bytes(), other.read_bytes()) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "oblist.db", "other.db"]


def test_a_link_is_written_through(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link, real = tmp_path / "tags", tmp_path / "there" / "real"
    link.symlink_to(real)
    done = export("ctags", shelf[0], link)
    assert done.code == 1
    assert f"is a link to {real}, which does not exist" in done.errors
    assert export("ctags", shelf[0], real).code == 0
    for _ in range(2):
        assert export("ctags", shelf[0], link).code == 0
        assert link.is_symlink()
        assert real.read_bytes().startswith(b"!_TAG_")
        assert [path.name for path in real.parent.iterdir()] == ["real"]


def test_a_pipe_is_written_to_and_stays(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "tags"
    os.mkfifo(pipe)
    link = tmp_path / "link"
    link.symlink_to(pipe)
    found: list[bytes] = []
    for path in (pipe, link):
        reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
        reader.start()
        assert export("ctags", shelf[0], path).code == 0
        reader.join(20)
    assert pipe.is_fifo()
    assert export("ctags", shelf[0], file).code == 0
    assert found == [file.read_bytes()] * 2


@pytest.mark.parametrize("form", ["ctags", "etags", "scip"])
def test_a_dash_is_the_standard_output(shelf: tuple[Path, Path], form: str) -> None:
    """Byte for byte the content of a file in the current folder."""
    index, sources = shelf
    command = [OBLIST, "export", form, "--index", str(index), "-o"]
    done = subprocess.run([*command, "-"], cwd=sources, capture_output=True, timeout=60, check=True)
    assert b"wrote standard output: " in done.stderr
    assert not (sources / "-").exists()
    file = sources / f"{form} of a test"
    assert export(form, index, file).code == 0
    written = file.read_bytes()
    file.unlink()
    assert done.stdout == written != b""
    refused = run_main("export", form, "--index", str(index), "-o", "-", "--json")
    assert (refused.code, refused.output) == (2, "")


def test_a_docset_is_a_folder(shelf: tuple[Path, Path]) -> None:
    done = run_main("export", "dash", "--index", str(shelf[0]), "-o", "-")
    assert (done.code, done.output) == (1, "")
    assert "A docset is a folder" in done.errors


def test_a_path_that_is_not_a_file_is_refused(shelf: tuple[Path, Path], tmp_path: Path) -> None:
    done = export("ctags", shelf[0], tmp_path)
    assert done.code == 1
    assert "is a folder" in done.errors
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    for form in ("ctags", "dash"):
        done = export(form, shelf[0], circle)
        assert done.code == 1
        assert "cannot be written" in done.errors
    assert [path.name for path in tmp_path.iterdir()] == ["circle"]
