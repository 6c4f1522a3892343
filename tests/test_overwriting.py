"""No command replaces a file that it did not write itself, unless it is told to."""

from __future__ import annotations

import gzip
import os
import shutil
import socket
import sqlite3
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.target import TargetError, appearance, index_target
from support.checkout import ROOT
from support.command_line import oblist


def text(content: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(content, encoding="utf-8") and None


def octets(content: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(content) and None


def database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE mine (precious)")


def copied(source: Path) -> Callable[[Path], None]:
    return lambda path: shutil.copyfile(source, path) and None


# Kinds of files by name: how one is made, and what it looks to be.
FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "notes.txt": (text("buy milk\n"), "a document"),
    "code.lisp": (text("(defun f ())\n"), "Lisp source"),
    "app.asd": (text('(defsystem "app")\n'), "Lisp source"),
    "README.md": (text("# Mine\n"), "a document"),
    "todo.org": (text("* TODO\n"), "a document"),
    "data.json": (text('{"a": 1}\n'), "a settings or data file"),
    "oblist.toml": (text("[check]\n"), "a settings or data file"),
    "page.html": (text("<html></html>\n"), "a web page or a part of one"),
    "Makefile": (text("all:\n"), "a text file"),
    "empty": (octets(b""), "an empty file"),
    "one-byte": (octets(b"x"), "a text file"),
    "latin": (octets(b"Gr\xfc\xdfe\n"), "a text file"),
    "zeros": (octets(bytes(10_000)), "binary data"),
    "random": (octets(os.urandom(10_000) + b"\0"), ""),
    "script": (text("#!/bin/sh\n"), "a script"),
    "program": (octets(b"\x7fELF" + bytes(100)), "a program"),
    "code.fasl": (octets(b"# FASL\n" + bytes(100)), "a compiled Lisp file"),
    "sbcl.core": (octets(b"LCBS" + bytes(100)), "an SBCL core"),
    "paper.pdf": (octets(b"%PDF-1.7\n"), "a PDF document"),
    "photo.png": (octets(b"\x89PNG\r\n\x1a\n"), "a picture"),
    "photo.jpg": (octets(b"\xff\xd8\xff\xe0"), "a picture"),
    "all.zip": (octets(b"PK\x03\x04rest"), "an archive"),
    "all.gz": (octets(gzip.compress(b"mine")), "a compressed file"),
    "mine.db": (database, "an SQLite database"),
    "cut.db": (octets(b"SQLite format 3\0cut"), "binary data"),
    "tags": (text("!_TAG_FILE_FORMAT\t2\t//\nmain\tmain.c\t/^main/\n"), "a tags file"),
    ".bashrc": (text("alias ls=ls\n"), "a text file"),
    "with space": (text("x\n"), "a text file"),
    "umlaut-ä": (text("x\n"), "a text file"),
    "pyproject": (copied(ROOT / "pyproject.toml"), "a text file"),
    "read-only": (text("x\n"), "a text file"),
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a file of each kind, and a link to one of them."""
    folder = tmp_path / "files"
    folder.mkdir()
    for name, (make, _) in FILES.items():
        make(folder / name)
    (folder / "read-only").chmod(0o444)
    (folder / "link").symlink_to("notes.txt")
    return folder


def state(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """The content, inode and mode of each file, and the names of all."""
    return {
        path.name: (path.read_bytes(), path.lstat().st_ino, path.lstat().st_mode)
        for path in sorted(folder.iterdir())
    }


def test_each_kind_is_refused_for_an_index_and_named(files: Path) -> None:
    before = state(files)
    assert len(before) == len(FILES) + 1 > 30
    for name, (_, what) in FILES.items():
        with pytest.raises(TargetError, match="already exists and is") as refused:
            index_target(files / name)
        assert str(files / name) in str(refused.value)
        assert what in str(refused.value)
        assert index_target(files / name, overwrite=True) == files / name
    assert state(files) == before


def writing_commands(shelf: tuple[Path, Path]) -> Iterator[tuple[str, list[str]]]:
    """Every command that writes a file, up to the file's path."""
    index = str(shelf[0])
    yield "index", ["index", "--no-userinit", "--output"]
    yield "watch", ["watch", str(shelf[1]), "--once", "--output"]
    for form in ("ctags", "etags", "scip", "dash"):
        yield form, ["export", form, "--index", index, "-o"]
    yield "baseline", ["check", str(shelf[1]), "--index", index, "--write-baseline"]
    yield "log", ["mcp", "--index", index, "--log"]


def test_every_writing_command_refuses_what_it_did_not_write(files: Path, shelf: tuple[Path, Path]) -> None:
    before = state(files)
    commands = dict(writing_commands(shelf))
    for command, arguments in commands.items():
        for name in ("notes.txt", "code.lisp", "mine.db", "link", "photo.png", "read-only"):
            done = oblist(*arguments, files / name)
            assert done.returncode in (1, 2), (command, name, done)
            assert str(files / name) in done.stderr, (command, done.stderr)
            assert "Traceback" not in done.stderr
            assert done.stdout == ""
    assert state(files) == before


def identity(path: Path) -> tuple[int, ...]:
    """What stays the same of a file that nobody touches; reading a link changes its access time."""
    status = path.lstat()
    return status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns


def test_directories_devices_and_links_to_nothing_are_always_refused(
    tmp_path: Path, shelf: tuple[Path, Path]
) -> None:
    special = tmp_path / "special"
    (special / "folder").mkdir(parents=True)
    os.mkfifo(special / "pipe")
    (special / "nowhere").symlink_to("gone")
    (special / "circle").symlink_to("circle")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(special / "socket"))
        before = {path.name: identity(path) for path in special.iterdir()}
        null = Path("/dev/null").stat()
        for command, arguments in writing_commands(shelf):
            names = [
                "folder",
                "nowhere",
                "circle",
                "socket",
                *(["pipe"] if command in ("index", "watch") else []),
            ]
            extra = [] if command == "log" else ["--overwrite"]
            for name in names:
                done = oblist(*arguments, special / name, *extra)
                assert done.returncode in (1, 2), (command, name, done)
                assert str(special / name) in done.stderr, (command, done.stderr)
                assert "Traceback" not in done.stderr
        for command in ("index", "watch"):
            done = oblist(*dict(writing_commands(shelf))[command], "/dev/null", "--overwrite")
            assert (done.returncode, "/dev/null is a device" in done.stderr) == (1, True)
            done = oblist(*dict(writing_commands(shelf))[command], "-")
            assert (done.returncode, "standard output" in done.stderr) == (1, True)
        assert {path.name: identity(path) for path in special.iterdir()} == before
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert Path("/dev/null").stat().st_rdev == null.st_rdev


def test_overwrite_replaces_and_own_files_need_no_word(files: Path, shelf: tuple[Path, Path]) -> None:
    commands = dict(writing_commands(shelf))
    for command in ("ctags", "etags", "scip", "baseline"):
        path = files / "code.lisp"
        path.write_text("(in-package :cl-user)\n")
        assert oblist(*commands[command], path, "--overwrite").returncode == 0, command
        written = path.read_bytes()
        assert b"in-package" not in written[:100]
        assert oblist(*commands[command], path).returncode == 0, command
        assert path.read_bytes() == written


@pytest.mark.usefixtures("small")
def test_a_link_to_an_index_stays_and_the_index_is_replaced(tmp_path: Path) -> None:
    real, link = tmp_path / "there" / "real.db", tmp_path / "link.db"
    assert oblist("index", "--output", real).returncode == 0
    link.symlink_to(real)
    before = real.stat().st_ino
    assert oblist("index", "--output", link, "--force").returncode == 0
    assert link.is_symlink()
    assert real.stat().st_ino != before
    note = tmp_path / "note.txt"
    note.write_text("mine")
    done = oblist("index", "--output", note)
    assert (done.returncode, note.read_text()) == (1, "mine")
    assert "is a document, not an oblist index" in done.stderr
    assert oblist("index", "--output", note, "--overwrite").returncode == 0
    assert appearance(note) == "an oblist index"
    assert oblist("index", "--output", note, "--force").returncode == 0


@pytest.mark.parametrize("device", ["/dev/stdout", "/dev/fd/1", "-"])
def test_the_standard_output_is_written_to_wherever_it_leads(
    device: str, shelf: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"before\n")
    command = [str(ROOT / ".venv/bin/oblist"), "export", "ctags", "--index", str(shelf[0]), "-o", device]
    with out.open("ab") as appended:
        subprocess.run(command, stdout=appended, stderr=subprocess.DEVNULL, timeout=60, check=True)
    written = out.read_bytes()
    assert written.startswith(b"before\n!_TAG_")
    piped = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=True)
    assert written == b"before\n" + piped.stdout
    command[-1] = "/dev/null"
    assert subprocess.run(command, capture_output=True, timeout=60, check=True).stdout.startswith(
        b"wrote /dev/null"
    )
