"""Programs that answer like SBCL and do not behave: each gets a sentence within its limit, and is gone."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.errors import IndexerError
from oblist.indexer.image import ImagePlan
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import OLDEST, Sbcl, SbclError, compiled_code, find_sbcl
from support.builds.small_sbcl import small_sbcl

# What the program does once it has given its version: $* are its arguments, {real} is SBCL.
WHEN_COMPILING = {
    "sleeps": ("sleep 1000", "did not compile oblist within 2 s"),
    "does nothing": ("exit 0", "did not compile oblist, although it ended without an error"),
    "fails": ("echo 'no heap'; exit 3", "cannot compile oblist:\nno heap"),
    "is killed": ("kill -9 $$", "cannot compile oblist"),
    "has a child that sleeps": ("(sleep 1000) & wait", "did not compile oblist within 2 s"),
}
COMPILES = 'case "$*" in *build.lisp*) exec {real} "$@";; esac\n'
WHEN_DUMPING = {
    "sleeps": ("sleep 1000", "SBCL sent nothing for 2.5 s and was stopped"),
    "ends": ("exit 0", r"SBCL ended before the dump was complete \(exit code 0\)"),
    "hides its end": ("exec {closing} sleep 1000", "SBCL ended before"),
    "sends no records": ("echo nonsense >&{records}; sleep 1000", "nonsense|not a record"),
    "sends half a record": ('printf "{{\\"record\\":\\"hea" >&{records}; exit 0', "SBCL ended before"),
    "ignores signals": ("trap '' TERM INT HUP; sleep 1000", "SBCL sent nothing for 2.5 s and was stopped"),
}
RECORDS = "records=$OBLIST_RECORDS\n"


def fake(folder: Path, body: str, version: str = "2.2.9") -> Path:
    """A program that says that it is SBCL, then runs ``body``."""
    program = folder / "sbcl"
    answer = f'[ "$1" = --version ] && echo "SBCL {version}" && exit 0'
    program.write_text(f"#!/bin/bash\nexport FAKED_IN={folder}\n{answer}\n{body}\n")
    program.chmod(0o755)
    return program


def nothing_is_left(folder: Path) -> bool:
    """Whether no process that the program was, or started, runs."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not any(_is_from(process, folder) for process in Path("/proc").glob("[0-9]*")):
            return True
        time.sleep(0.1)
    return False


def _is_from(process: Path, folder: Path) -> bool:
    try:
        return f"FAKED_IN={folder}".encode() in (process / "environ").read_bytes()
    except OSError:  # it has ended
        return False


def failure(folder: Path, body: str, version: str = "2.2.9") -> str:
    """What is said of a build with such an SBCL."""
    plan = ImagePlan(find_sbcl(str(fake(folder, body, version))), (), Setup(seconds=2))
    with pytest.raises((IndexerError, SbclError)) as caught:
        build_index(folder / "x.db", plan, command="test")
    assert not (folder / "x.db").exists()
    return str(caught.value)


@pytest.mark.parametrize("kind", WHEN_COMPILING)
def test_a_program_that_does_not_compile(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oblist.lisp.sbcl._COMPILE_SECONDS", 2)
    body, said = WHEN_COMPILING[kind]
    assert said in failure(tmp_path, body)
    assert nothing_is_left(tmp_path)


@pytest.mark.parametrize("version", ["1.4.16.debian", "2.0.2-1", "2.0"])
def test_an_sbcl_that_is_too_old_is_told_which_would_do(version: str, tmp_path: Path) -> None:
    said = failure(tmp_path, "exit 1", version)
    assert f"is SBCL {version}, but oblist needs {OLDEST} or newer" in said and "--sbcl" in said


def test_a_newer_sbcl_is_not_called_too_old(tmp_path: Path) -> None:
    assert "cannot compile oblist" in failure(tmp_path, "exit 1", "2.10.1")


@pytest.mark.parametrize("kind", WHEN_DUMPING)
def test_a_program_that_does_not_dump(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oblist.indexer.image._PATIENCE_SECONDS", 0.5)
    body, said = WHEN_DUMPING[kind]
    body = body.format(records="$records", closing="{records}>&-")
    told = failure(tmp_path, COMPILES.format(real=small_sbcl().path) + RECORDS + body)
    assert re.search(said, told), told
    assert nothing_is_left(tmp_path)


def test_a_program_that_never_tells_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oblist.lisp.sbcl._VERSION_SECONDS", 1)
    program = tmp_path / "sbcl"
    program.write_text(f"#!/bin/sh\nexport FAKED_IN={tmp_path}\nsleep 1000 & wait\n")
    program.chmod(0o755)
    with pytest.raises(SbclError, match="did not answer --version within 1 s"):
        find_sbcl(str(program))
    assert nothing_is_left(tmp_path)


def test_a_program_that_is_gone_or_no_program_is_named(tmp_path: Path) -> None:
    """As it is for a server that has found it before."""
    program = tmp_path / "sbcl"
    for words in ("No such file or directory", "Exec format error"):
        with pytest.raises(SbclError, match=f"{program} does not start: {words}. Install it again"):
            compiled_code(Sbcl(program, "2.2.9"), tmp_path / "cache")
        program.write_bytes(b"\x7fELF")
        program.chmod(0o755)
    assert list((tmp_path / "cache").iterdir()) == []
