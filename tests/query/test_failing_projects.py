"""Whatever keeps a system from loading: the rest is indexed and followed, and answers say what is missing."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer, NotFound
from support.agents.mcp_wire import OBLIST, Wire
from support.builds.tested_version import since
from support.command import oblist
from support.command_line import run_main
from support.pages.browse_server import Server
from support.projects.failing import (
    ENDING,
    IN_DEFINITION,
    LIMIT,
    WAYS,
    failing_project,
    write_project,
)
from support.projects.followed_project import FollowedProject

ALL = {f"fine/{way}" for way in WAYS}


@pytest.fixture(scope="module")
def failed() -> Path:
    """A folder with the project, in all ways at once, and its index."""
    return failing_project()


def index_of(way: str, failed: Path, folder: Path) -> str:
    """The index of the project, as it would be if only one of its systems did not load; how that is said."""
    index = folder / "oblist.db"
    shutil.copyfile(failed / "oblist.db", index)
    with closing(sqlite3.connect(index)) as connection, connection:
        gone = "DELETE FROM problems WHERE stage = 'load' AND subject <> ?"
        assert connection.execute(gone, [f"fine/{way}"]).rowcount == len(WAYS)  # FINE/OTHER too
    has_place = way not in (*IN_DEFINITION, *ENDING)
    line = ":" if since("2.2") else ""  # SBCL 2.0.11 does not tell from which form a function is called
    place = f" ({failed}/project/{way}/{way}.lisp{line}" if has_place else ""
    return f"system fine/{way} did not load{place}"


def test_a_build_says_all_that_did_not_load(failed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OBLIST_INDEX", str(failed / "oblist.db"))
    errors = (failed / "errors").read_text()
    information = run_main("info").output
    problems = run_main("problems").output
    for way in WAYS:
        assert f"oblist: the system fine/{way} did not load: " in errors, way
        assert f"system fine/{way} did not load" in information, way
        assert f"system fine/{way} did not load: " in problems, way
    note = run_main("xref", "fine:h").errors
    assert note.startswith("note: This index is incomplete: system fine/")
    named = re.findall(r"system (fine/\S+) did not load", note)
    assert len(set(named)) == 3
    assert set(named) < {*ALL, "fine/other"}
    assert f"; and {len(WAYS) + 1 - 3} more (see oblist problems)" in note
    assert run_main("describe", "fine:h")[0::2] == (0, "")


@pytest.mark.parametrize("way", WAYS)
def test_each_question_says_what_did_not_load(
    way: str, failed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = index_of(way, failed, tmp_path)
    monkeypatch.setenv("OBLIST_INDEX", str(tmp_path / "oblist.db"))
    for command in (
        ("describe", f"{way}::g"),
        ("definition", f"{way}:g"),
        ("xref", "fine:h"),
        ("apropos", "no-such-name"),
        ("search", "zzqqy"),
        ("package", way),
        ("check", str(failed / "project" / way / f"{way}.lisp")),
    ):
        assert said in run_main(*command).errors, command
    answer = json.loads(run_main("xref", "fine:h", "--json").output)
    assert said in answer["incomplete"]
    assert said in run_main("info").output
    assert run_main("problems").output.startswith(f"system fine/{way} did not load: ")
    assert run_main("describe", "fine:h")[0::2] == (0, "")


def test_commands_tools_and_pages_say_what_did_not_load(
    failed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = index_of("kill", failed, tmp_path)
    monkeypatch.setenv("OBLIST_INDEX", str(tmp_path / "oblist.db"))
    assert said in oblist("describe", "kill::g").stderr
    with Wire([OBLIST, "mcp"]) as wire:
        wire.initialize()
        for tool, what in (("describe_symbol", "kill::g"), ("find_references", "fine:h")):
            assert any(said in block["text"] for block in wire.call(tool, name=what)["content"]), tool
        assert said in wire.text("index_status")
    server = Server()
    try:
        for page in ("home", "symbol/kill/g", "package/no-such"):
            assert said in server.ask(f"/oblist/-/{page}")[2], page
        assert "did not load" not in server.ask("/oblist/-/symbol/fine/h")[2]
    finally:
        server.end()


def test_a_watch_goes_on_after_all_at_once(
    small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "project"
    write_project(folder, systems=WAYS)
    project = FollowedProject(small, folder, tmp_path / "work", monkeypatch, seconds=LIMIT)
    step = project.follower.refresh()
    assert (step.broken, list(step.not_loaded)) == (None, [])
    write_project(folder, *WAYS, fine="(defun new-1 () 1)\n")
    step = project.follower.refresh()
    assert (step.broken, step.kept) == (None, ALL)
    assert {problem.subject for problem in step.not_loaded} == {*ALL, "fine/other"}
    assert_followed(project, ALL, new="new-1", old="no-function")
    write_project(folder, *IN_DEFINITION, systems=WAYS, fine="(defun new-2 () 1)\n")
    step = project.follower.refresh()
    left = {f"fine/{way}" for way in IN_DEFINITION}
    assert (step.broken, step.kept) == (None, left)
    assert_followed(project, left, new="new-2", old="new-1")


def assert_followed(project: FollowedProject, kept: Collection[str], *, new: str, old: str) -> None:
    """All systems are in the index, those ``kept`` in their last good state; FINE is as it is now."""
    assert kept
    with open_index(project.follower.index.path) as index:
        assert isinstance(index.describe(f"fine::{new}"), DescribeAnswer)
        assert isinstance(index.describe(f"fine::{old}"), NotFound)
        assert set(index.information().last_good) == kept
        listed = "\n".join(index.information().not_loaded)
        for way in WAYS:
            answer = index.describe(f"{way}:f")
            assert isinstance(answer, DescribeAnswer), way
            is_kept = f"fine/{way}" in kept
            assert (answer.type, answer.incomplete is not None) == ("function", is_kept), way
            assert (f"system fine/{way} no longer loads" in listed) == is_kept, way


@pytest.mark.full  # the test above has all of them at once
def test_a_watch_goes_on_after_each(small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "project"
    write_project(folder, systems=WAYS)
    project = FollowedProject(small, folder, tmp_path / "work", monkeypatch, seconds=LIMIT)
    project.refresh()
    for number, way in enumerate(WAYS):
        write_project(folder, way, systems=WAYS, fine=f"(defun new-{number} () 1)\n")
        step = project.follower.refresh()
        assert step.broken is None, way
        assert f"fine/{way}" in {problem.subject for problem in step.not_loaded}, way
        assert step.kept == {f"fine/{way}"}, (way, step.not_loaded)
        assert_followed(project, {f"fine/{way}"}, new=f"new-{number}", old=f"new-{number - 1}")
    write_project(folder, systems=WAYS, fine="(defun mended () 1)\n")
    assert project.follower.refresh().not_loaded == []
    project.rebuild()
    assert project.findings() == []


@pytest.mark.full  # the limits of time are real
def test_a_watch_waits_as_long_as_each_system_keeps_its_limit(
    small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each system takes less than its limit, all of them together more; one waits for the compiler."""
    monkeypatch.setattr("oblist.indexer.image._PATIENCE_SECONDS", 0.5)
    folder = tmp_path / "project"
    write_project(folder, systems=WAYS)
    project = FollowedProject(small, folder, tmp_path / "work", monkeypatch, seconds=LIMIT)
    project.refresh()
    slow = ("exit", "kill", "prompt", "read")
    for way in slow:
        path = folder / way / f"{way}.lisp"
        path.write_text(path.read_text() + f"(sleep {LIMIT / 2})\n")
    fine = folder / "fine" / "fine.lisp"
    fine.write_text(fine.read_text() + "(defun waited-for () 1)\n")
    project.refresh()
    with open_index(project.follower.index.path) as index:
        assert isinstance(index.describe("fine::waited-for"), DescribeAnswer)


def test_what_did_not_load_is_told_again_by_the_next_watch_and_slow_loading_too(
    small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oblist.indexer.watch.follower._SLOW_SECONDS", 0.01)
    write_project(tmp_path / "project", "at-load")
    said: list[str] = []
    for _ in range(2):
        project = FollowedProject(
            small, tmp_path / "project", tmp_path / "work", monkeypatch, say=said.append
        )
        assert project.follower.adopt() is None
        assert [problem.subject for problem in project.follower.refresh().not_loaded] == ["fine/at-load"]
    limit = "each part may take up to 600 s (--load-timeout)."
    assert set(said) == {f"The project is still being loaded; {limit}"}
    said.clear()
    monkeypatch.setattr("oblist.indexer.watch.follower._UNUSUAL", 0.0)
    project.follower.refresh()
    usual = r"The project is still being loaded; loading usually takes \d+\.\d s, and "
    assert re.fullmatch(usual + re.escape(limit), said[0])
