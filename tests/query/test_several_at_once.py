"""Several commands at once on one project, and an oblist that is replaced while its servers run."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from oblist.query import open_index
from support.agents.mcp_wire import Wire
from support.checkout import ROOT
from support.command import OBLIST, SECONDS
from support.patience import SOON

pytestmark = [pytest.mark.full, pytest.mark.timeout(900), pytest.mark.usefixtures("small")]

_SYSTEM = '(asdf:defsystem "odd" :components ((:file "odd")))\n'
_SOURCE = (
    "(defpackage :odd (:use :cl) (:export #:odd)) (in-package :odd)\n"
    "(defun odd () 1)\n(defun even () (odd))\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of one system."""
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "odd.asd").write_text(_SYSTEM)
    (folder / "odd.lisp").write_text(_SOURCE)
    return folder


def done_together(commands: Sequence[Sequence[str | Path]], **environment: str) -> list[tuple[int, str]]:
    """The exit codes and errors of commands that run at once; none ends with a traceback."""
    running = [
        subprocess.Popen(
            [OBLIST, *map(str, words)],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for words in commands
    ]
    found = []
    for words, process in zip(commands, running, strict=True):
        _, errors = process.communicate(timeout=SECONDS)
        assert "Traceback" not in errors, (words, errors)
        found.append((process.returncode, errors))
    return found


def assert_whole(project: Path) -> None:
    """The project's index is whole, and nothing of a build is left beside it."""
    index = project / ".oblist" / "oblist.db"
    with closing(sqlite3.connect(f"file:{index}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    with open_index(index) as opened:
        assert opened.package("odd")
    assert not [one.name for one in index.parent.iterdir() if one.name.endswith((".building", ".refreshing"))]


@pytest.mark.parametrize("words", [["index", "--quiet", "--project"], ["watch", "--once", "--quiet"]])
def test_three_of_a_kind(project: Path, words: list[str]) -> None:
    ended = done_together([[*words, project]] * 3)
    assert 0 in {code for code, _ in ended}
    assert all(code == 0 or "oblist: " in errors for code, errors in ended), ended
    assert_whole(project)


def test_a_build_a_refresh_and_an_edit(project: Path) -> None:
    done_together([["index", "--quiet", "--project", project]])
    index = project / ".oblist" / "oblist.db"
    ended = done_together(
        [
            ["index", "--quiet", "--force", "--project", project],
            ["watch", "--once", "--quiet", project],
            ["rename", "odd::odd", "strange", "--write", "--index", index],
        ]
    )
    assert 0 in {code for code, _ in ended[:2]}, ended
    assert_whole(project)
    renamed = (
        _SOURCE.replace("defun odd", "defun strange")
        .replace("(odd)", "(strange)")
        .replace("#:odd", "#:strange")
    )
    assert (project / "odd.lisp").read_text() in {_SOURCE, renamed}


def test_four_renames_of_one_name(project: Path) -> None:
    done_together([["index", "--quiet", "--project", project]])
    index = project / ".oblist" / "oblist.db"
    ended = done_together(
        [["rename", "odd::odd", f"strange{n}", "--write", "--index", index] for n in range(4)]
    )
    text = (project / "odd.lisp").read_text()
    (name,) = set(re.findall(r"strange\d", text))  # one of them, in the export, the definition and the use
    assert text.count(name) == 3 and 0 in {code for code, _ in ended}
    assert sorted(one.name for one in project.iterdir()) == [".oblist", "odd.asd", "odd.lisp"]


def test_three_catalog_builds(project: Path, tmp_path: Path) -> None:
    catalog = tmp_path / "catalog.db"
    words = ["catalog", "build", "--system", "odd", "--catalog", catalog, "--store", tmp_path / "store"]
    ended = done_together([words] * 3, CL_SOURCE_REGISTRY=f"{project}:")
    assert 0 in {code for code, _ in ended}, ended
    ((code, errors),) = done_together([["check-index", catalog]])
    assert code == 0, errors


def test_four_exports(project: Path) -> None:
    done_together([["index", "--quiet", "--project", project]])
    docset = project / "odd.docset"
    words = ["export", "dash", "--index", project / ".oblist" / "oblist.db", "--output", docset]
    ended = done_together([words] * 4)
    assert 0 in {code for code, _ in ended}, ended
    assert sorted(one.name for one in project.iterdir()) == [".oblist", "odd.asd", "odd.docset", "odd.lisp"]


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """The folder as one of a file system that is mounted read-only."""
    if subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False).returncode:
        pytest.skip("only root may mount")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_an_index_on_a_folder_that_cannot_be_written(project: Path) -> None:
    done_together([["index", "--quiet", "--project", project]])
    index = project / ".oblist" / "oblist.db"
    with read_only(project):
        reads = [["describe", "odd::odd"], ["info"], ["check-index"], ["xref", "odd::odd"]]
        assert {code for code, _ in done_together([[*words, "--index", index] for words in reads])} == {0}
        writes = [["index", "--force", "--quiet", "--project", project], ["watch", "--once", project]]
        for code, errors in done_together(writes):
            assert code == 0 or str(project) in errors, errors
        (code, errors), _ = done_together([writes[0], reads[0]])
        assert code == 1 and "Read-only file system" in errors and str(project) in errors


# An oblist that is replaced


@pytest.mark.parametrize("change", ["the same again", "a newer format", "gone"])
def test_an_oblist_that_is_replaced_under_a_server(project: Path, tmp_path: Path, change: str) -> None:
    done_together([["index", "--quiet", "--project", project]])
    index = project / ".oblist" / "oblist.db"
    installed = tmp_path / "installed"
    _install(installed)
    start = f"import sys; sys.path.insert(0, {str(installed)!r}); from oblist.query.cli import main; main()"
    command = [sys.executable, "-P", "-c", start]
    with Wire([*command, "mcp", "--no-live", "--index", str(index)]) as wire:
        wire.initialize()
        assert "ODD" in str(wire.call("describe_symbol", name="odd::odd"))
        shutil.rmtree(installed)
        if change != "gone":
            _install(installed)
        if change == "a newer format":
            path = installed / "oblist" / "indexer" / "format.py"
            path.write_text(path.read_text().replace("\nFORMAT = ", "\nFORMAT = 1"))
        assert "ODD" in str(wire.call("describe_symbol", name="odd::even"))
        answer = str(wire.request("tools/call", {"name": "check_form", "arguments": {"form": "(odd 1)"}}))
        assert ("start it again" if change == "gone" else "isError") in answer, answer
        assert "Traceback" not in answer
    if change == "a newer format":
        done = subprocess.run(
            [*command, "describe", "odd::odd", "--index", str(index)],
            capture_output=True,
            text=True,
            timeout=SOON,
            check=False,
        )
        assert done.returncode == 3 and "but this oblist reads format 1" in done.stderr, done


def _install(folder: Path) -> None:
    """A copy of oblist as of a package, in a folder of its own."""
    for name in ("lisp", "indexer", "query"):
        shutil.copytree(ROOT / name, folder / "oblist" / name, ignore=shutil.ignore_patterns("__pycache__"))
    clients = ROOT / "data" / "clients"
    shutil.copytree(clients, folder / "oblist" / "clients", ignore=shutil.ignore_patterns("node_modules"))
