"""read_file: the text of files, from the index or below the folder of the project, and of no others."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from oblist.query.tools.registry import registry
from oblist.query.tools.running.execution import Executor
from oblist.query.tools.running.server import executor_for
from support.agents.mcp_wire import oblist_mcp
from support.agents.tool_calls import called, executing

SEED = 1962
NOTHING = "is not a source file of this index"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "main.lisp").write_text("(in-package :cl-user)\n\n(print :héllo)\n")
    return folder


@pytest.fixture
def executor(libraries_index: Path, project: Path) -> Iterator[Executor]:
    made = executor_for(registry, libraries_index, allowed="safe", live=False, projects=(project,))
    yield made
    made.close()


def test_a_file_of_the_index_is_read_from_it(executor: Executor) -> None:
    place = called(executor, "code-find-definition", symbol="alexandria:flatten").structured
    path = Path(place["path"])
    lines = path.read_text(encoding="utf-8").splitlines()
    shown = called(executor, "read_file", path=str(path), offset=place["line"] - 1, limit=3)
    assert shown.content.splitlines()[:3] == lines[place["line"] - 1 : place["line"] + 2]
    assert shown.content.endswith(f"... and more lines: call again with offset={place['line'] + 2}")
    # SBCL's own name for a file, and all of it, in pages.
    whole = called(executor, "read_file", path="SYS:SRC;CODE;LIST.LISP", max_chars=1_000_000)
    assert "(defun car (list)" in whole.content
    read: list[str] = []
    while True:
        page = called(executor, "read_file", path=str(path), offset=len(read), limit=100)
        *found, last = page.content.split("\n")
        if not last.startswith("... and more lines"):
            read += [*found, last]
            break
        read += found
    assert read == lines


def test_a_file_below_the_project_is_read(executor: Executor, project: Path) -> None:
    whole = "(in-package :cl-user)\n\n(print :héllo)"
    for path in ("src/main.lisp", str(project / "src" / "main.lisp"), "src/../src/main.lisp"):
        assert called(executor, "read_file", path=path).content == whole
    assert called(executor, "read_file", path="src/main.lisp", offset=9).content == "There is no line 10."
    huge = 2**53 - 1
    far = called(executor, "read_file", path="src/main.lisp", offset=huge)
    assert far.content.startswith("There is no line ")
    stored = called(executor, "read_file", path="SYS:SRC;CODE;LIST.LISP", offset=huge)
    assert stored.success or NOTHING in (stored.error or "")
    assert called(executor, "read_file", path="src/main.lisp", limit=huge).content == whole
    assert called(executor, "read_file", path="src/main.lisp", limit=0).content == whole
    one = called(executor, "read_file", path="src/main.lisp", limit=1).content
    assert one == "(in-package :cl-user)\n... and more lines: call again with offset=1"


def test_no_other_file_is_read(
    executor: Executor, project: Path, tmp_path: Path, libraries_index: Path
) -> None:
    secret = tmp_path / "secret.lisp"
    secret.write_text("secret")
    (project / "link.lisp").symlink_to(secret)
    (project / "folder").symlink_to(tmp_path)
    (project / "loop.lisp").symlink_to(project / "loop.lisp")
    os.mkfifo(project / "pipe.lisp")
    outside = [str(secret), "../secret.lisp", "link.lisp", "folder/secret.lisp", "loop.lisp", "pipe.lisp"]
    for path in [*outside, "src", ".", "", "/etc/passwd", "/dev/zero", "no\0thing", "~/x", "src/none.lisp"]:
        result = called(executor, "read_file", path=path)
        assert not result.success and NOTHING in (result.error or ""), path
        assert "secret" not in result.content
    with executing(libraries_index) as without:
        result = called(without, "read_file", path=str(project / "src" / "main.lisp"))
        assert not result.success and "--project DIR" in (result.error or "")


@contextmanager
def swapping(folder: Path, outside: Path) -> Iterator[None]:
    """Make ``folder`` a link to ``outside`` and a folder again, over and over, for as long as chance says."""
    ended = threading.Event()
    aside = folder.with_name("aside")
    chance = random.Random(SEED)

    def swap() -> None:
        while not ended.is_set():
            folder.rename(aside)
            folder.symlink_to(outside)
            time.sleep(chance.random() / 1000)
            folder.unlink()
            aside.rename(folder)
            time.sleep(chance.random() / 1000)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize("outline", [False, True])
@pytest.mark.parametrize("tries", [400, pytest.param(5_000, marks=pytest.mark.full)])
def test_a_folder_that_becomes_a_link_while_it_is_opened_leads_nowhere(
    executor: Executor, project: Path, tmp_path: Path, tries: int, outline: bool
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "main.lisp").write_text("(secret)\n")
    seen = set()
    with swapping(project / "src", tmp_path / "outside"):
        for _ in range(tries):
            result = called(executor, "read_file", path="src/main.lisp", outline=outline)
            assert "secret" not in f"{result.content} {result.error}"
            seen.add(result.success)
    assert seen == {True, False}


def test_what_is_long_stays_within_its_budget(executor: Executor, project: Path) -> None:
    (project / "long.lisp").write_text("x" * 50_000 + "\nshort\n")
    (project / "many.lisp").write_text("(car 1)\n" * 5_000)
    one = called(executor, "read_file", path="long.lisp", max_chars=1_000).content
    assert len(one) <= 1_000 and one.endswith("line 1 is longer than max_chars=1000")
    many = called(executor, "read_file", path="many.lisp", max_chars=1_000).content
    assert len(many) <= 1_000 and many.startswith("(car 1)\n(car 1)\n")
    huge = project / "huge.lisp"
    with huge.open("wb") as file:
        file.truncate(30_000_000)
    assert "cannot be read" in (called(executor, "read_file", path="huge.lisp").error or "")


def test_the_server_reads_below_the_folder_of_its_option(libraries_index: Path, project: Path) -> None:
    with oblist_mcp(libraries_index, "--no-live", "--project", str(project)) as wire:
        wire.initialize()
        assert "read_file" not in [tool["name"] for tool in wire.request("tools/list")["result"]["tools"]]
        assert wire.text("read_file", path="src/main.lisp").endswith("(print :héllo)")
        assert wire.call("read-file", path="/etc/passwd")["isError"] is True
