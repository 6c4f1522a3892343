"""Whatever keeps a system from loading: the rest is indexed and followed, and answers say what is missing."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer
from support.agents.mcp_wire import Wire
from support.command import oblist
from support.pages.browse_server import Server
from support.projects.failing import IN_DEFINITION, WAYS, write_project
from support.projects.followed_project import FollowedProject

OBLIST = str(Path(sys.executable).with_name("oblist"))
LIMIT = 2  # the time limit for loading, in seconds


@pytest.mark.parametrize("way", WAYS)
def test_each_surface_says_what_did_not_load(
    way: str, small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_project(tmp_path / "project", way)
    index = tmp_path / "oblist.db"
    monkeypatch.setenv("OBLIST_INDEX", str(index))
    monkeypatch.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{tmp_path / 'fasl'}/")
    arguments = ["--project", tmp_path / "project", "--load-timeout", LIMIT, "--no-userinit", "--no-snapshot"]
    done = oblist("index", *arguments)
    assert done.returncode == 1
    assert "oblist: the system fine/bad did not load: " in done.stderr
    place = "" if way in IN_DEFINITION or way in ("end", "signal", "endless and deaf") else "bad.lisp:"
    said = f"system fine/bad did not load{f' ({tmp_path}/project/bad/{place}' if place else ''}"
    for command in (
        ("describe", "bad::g"),
        ("definition", "bad:g"),
        ("xref", "fine:h"),
        ("apropos", "no-such-name"),
        ("search", "zzqqy"),
        ("package", "bad"),
        ("check", tmp_path / "project" / "bad" / "bad.lisp"),
    ):
        assert said in oblist(*command).stderr, command
    answer = json.loads(oblist("xref", "fine:h", "--json").stdout)
    assert said in answer["incomplete"]
    assert said in oblist("info").stdout
    assert oblist("problems").stdout.startswith("system fine/bad did not load: ")
    done = oblist("describe", "fine:h")
    assert (done.returncode, done.stderr) == (0, "")
    with Wire([OBLIST, "mcp"]) as wire:
        wire.initialize()
        for tool, what in (("describe_symbol", "bad::g"), ("find_references", "fine:h")):
            assert any(said in block["text"] for block in wire.call(tool, name=what)["content"]), tool
        assert said in wire.text("index_status")


def test_pages_say_what_did_not_load(small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_project(tmp_path / "project", "signal")
    monkeypatch.setenv("OBLIST_INDEX", str(tmp_path / "oblist.db"))
    assert (
        oblist("index", "--project", tmp_path / "project", "--no-userinit", "--no-snapshot").returncode == 1
    )
    server = Server()
    try:
        for page in ("home", "symbol/bad/g", "package/no-such"):
            assert "system fine/bad did not load" in server.ask(f"/oblist/-/{page}")[2], page
        assert "did not load" not in server.ask("/oblist/-/symbol/fine/h")[2]
    finally:
        server.end()


def test_a_watch_goes_on_after_each(small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "project"
    write_project(folder)
    project = FollowedProject(small, folder, tmp_path / "work", monkeypatch, seconds=LIMIT)
    project.refresh()
    for number, way in enumerate(WAYS):
        write_project(folder, way, fine=f"(defun new-{number} () 1)\n")
        began = time.monotonic()
        step = project.follower.refresh()
        assert step.broken is None, way
        assert "fine/bad" in {problem.subject for problem in step.not_loaded}, way
        assert step.kept == {"fine/bad"}, way
        assert time.monotonic() - began < 60, way
        with open_index(project.follower.index.path) as index:
            for name, there in (
                ("bad:f", True),
                (f"fine::new-{number}", True),
                (f"fine::new-{number - 1}", False),
            ):
                assert isinstance(index.describe(name), DescribeAnswer) == there, (way, name)
            assert "system fine/bad no longer loads" in str(index.describe("bad:f").incomplete), way
    write_project(folder, fine="(defun mended () 1)\n")
    assert project.follower.refresh().not_loaded == []
    project.rebuild()
    assert project.findings() == []


def test_what_did_not_load_is_told_again_by_the_next_watch_and_slow_loading_too(
    small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oblist.indexer.watch.follower._SLOW_SECONDS", 0.01)
    write_project(tmp_path / "project", "at load")
    said: list[str] = []
    for _ in range(2):
        project = FollowedProject(
            small, tmp_path / "project", tmp_path / "work", monkeypatch, say=said.append
        )
        assert project.follower.adopt() is None
        assert [problem.subject for problem in project.follower.refresh().not_loaded] == ["fine/bad"]
    assert set(said) == {"The project is still being loaded; each part may take 600 s (--load-timeout)."}
