"""Pipes, sockets and devices with the names of sources: each is a problem that says so, and nothing waits."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from oblist.indexer.inputs import file_hash
from oblist.indexer.source_text import octets_below, source_octets
from oblist.indexer.sources import read_source
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer
from support.command_line import oblist
from support.projects.followed_project import FollowedProject

GOOD = '(defpackage "ODD" (:use "CL") (:export "GOOD"))\n(in-package "ODD")\n(defun good () 1)\n'


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _link_to_pipe(path: Path) -> None:
    pipe = path.with_name(f"{path.name}.pipe")
    os.mkfifo(pipe)
    path.symlink_to(pipe.name)


# How each is made. Opening the first would wait for ever, or reading it would never end.
SPECIAL: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "link-to-pipe": _link_to_pipe,
    "socket": _socket,
    "zeros": _link("/dev/zero"),
    "random": _link("/dev/urandom"),
    "full": _link("/dev/full"),
    "nothing": _link("/dev/null"),
}
OTHERS: dict[str, Callable[[Path], None]] = {
    "folder": Path.mkdir,
    "link-to-folder": _link("folder.lisp"),
    "dangling": _link("nowhere"),
    "loop": lambda path: path.symlink_to(path.name),
}
KINDS = SPECIAL | OTHERS


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: Sbcl) -> Path:
    """A project with a system for each kind, whose only file is one, and a definition file that is one."""
    folder = tmp_path / "odd"
    folder.mkdir()
    monkeypatch.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{tmp_path / 'fasl'}/")
    systems = ['(defsystem "odd" :components ((:file "good")))']
    for kind, make in KINDS.items():
        systems.append(f'(defsystem "odd/{kind}" :depends-on ("odd") :components ((:file "{kind}")))')
        make(folder / f"{kind}.lisp")
        make(folder / f"{kind}.asd")
    (folder / "odd.asd").write_text("\n".join(systems))
    (folder / "good.lisp").write_text(GOOD)
    return folder


def test_a_special_file_is_a_problem_and_the_rest_is_indexed(project: Path, tmp_path: Path) -> None:
    index = tmp_path / "odd.db"
    options = [
        "--project",
        project,
        "--no-userinit",
        "--no-snapshot",
        "--output",
        index,
        "--load-timeout",
        30,
    ]
    done = oblist("index", *options)
    assert done.returncode == 1
    assert "TIMEOUT" not in done.stderr
    for kind in SPECIAL:
        for what in (f"system odd/{kind}", f"definition file {project / kind}.asd"):
            said = rf"the {what} did not load: .* is a pipe, a socket or a device, not a regular file"
            assert re.search(said, done.stderr), what
    with open_index(index) as opened:
        assert isinstance(opened.describe("odd:good"), DescribeAnswer)
        assert {problem.subject for problem in opened.problems(limit=0).problems} >= {
            f"odd/{kind}" for kind in KINDS
        }
    assert oblist("index", *options).returncode == 1  # what is there is compared with what was
    checked = oblist("check", project, "--index", index)
    for kind in SPECIAL:
        assert f"{kind}.lisp was not checked: it is not a regular file" in checked.stderr


def test_a_watch_goes_on_when_a_source_becomes_a_pipe(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: Sbcl
) -> None:
    for kind in KINDS:
        for ending in ("lisp", "asd"):
            path = project / f"{kind}.{ending}"
            path.rmdir() if kind == "folder" else path.unlink()
    (project / "pipe.lisp").write_text('(in-package "ODD")\n(defun piped () (good))\n')
    (project / "odd.asd").write_text(
        '(defsystem "odd" :components ((:file "good")))\n'
        '(defsystem "odd/pipe" :depends-on ("odd") :components ((:file "pipe")))\n'
    )
    followed = FollowedProject(small, project, tmp_path / "work", monkeypatch, seconds=30)
    followed.refresh()
    (project / "pipe.lisp").unlink()
    os.mkfifo(project / "pipe.lisp")
    (project / "good.lisp").write_text(f"{GOOD}(defun better () 2)\n")
    step = followed.follower.refresh()
    assert step.broken is None
    assert step.kept == {"odd/pipe"}
    with open_index(followed.follower.index.path) as index:
        for name in ("odd::better", "odd::piped"):
            assert isinstance(index.describe(name), DescribeAnswer), name


@pytest.mark.parametrize("kind", KINDS)
def test_only_a_regular_file_is_read(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.lisp"
    KINDS[kind](path)
    with pytest.raises(OSError):
        source_octets(path)
    assert read_source(str(path)) is None
    assert file_hash(str(path)) == ""


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.lisp"
    path.write_bytes(b"(car x)")
    assert source_octets(path, 7) == b"(car x)"
    with pytest.raises(OSError, match="larger than"):
        source_octets(path, 6)


def test_below_a_folder_no_link_is_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for one in (folder / "a" / "b", outside / "b"):
        one.mkdir(parents=True)
        (one / "x.lisp").write_text("(car x)")
    assert octets_below(folder, folder / "a" / "b" / "x.lisp", 7) == b"(car x)"
    (folder / "link").symlink_to(outside)
    (folder / "inner").symlink_to("a")
    (folder / "x.lisp").symlink_to(outside / "b" / "x.lisp")
    (tmp_path / "other").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    for name in (
        "link/b/x.lisp",
        "inner/b/x.lisp",
        "x.lisp",
        "../outside/b/x.lisp",
        "a/../a/b/x.lisp",
        "a",
        "pipe",
    ):
        with pytest.raises(OSError):
            octets_below(folder, folder / name)
    with pytest.raises(OSError):
        octets_below(tmp_path / "other", tmp_path / "other" / "a" / "b" / "x.lisp")
