"""Bases of slices: layers in the user's cache that go with the compiled files that they were made from."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from oblist.indexer.catalog.making import bases
from oblist.indexer.catalog.making.bases import base_in_use, drop_bases
from oblist.indexer.catalog.making.orders import Plan
from oblist.indexer.catalog.making.scratch import Scratch
from oblist.indexer.format import user_cache_folder
from oblist.indexer.layers import cache, store
from oblist.indexer.layers.core_and_index import Layer, LayerFacts
from oblist.indexer.layers.make import layer_with_asdf
from oblist.lisp.sbcl import Sbcl, compiled_code
from oblist.lisp.slices import SliceSurroundings
from support.builds.small_sbcl import small_sbcl

PLAN = Plan("slice", ("tool",), ("tool",), {})
MORE = {"sbcl/tool.fasl": "first", "sbcl/more.fasl": "for the base"}


class Loading:
    """An image that is saved as a base, after it has compiled one more file; it notes which it found."""

    found: ClassVar[list[dict[str, str]]] = []

    def __init__(self, around: SliceSurroundings, below: Path, task: dict[str, str]) -> None:
        assert below.read_text() == "core of ASDF"
        self.found.append(texts(around.fasls))
        (around.fasls / "sbcl" / "more.fasl").write_text("for the base")
        Path(task["OBLIST_SNAPSHOT"]).write_text(f"core with {task['OBLIST_SYSTEMS']}")

    def __enter__(self) -> Loading:
        return self

    def __exit__(self, *_: object) -> None: ...

    def records(self) -> Iterator[object]:
        return iter(())

    def made(self, make: Callable[[], None]) -> None:
        make()

    def wait(self, seconds: float) -> bool:
        return True

    def exit_code(self) -> int:
        return 0


@pytest.fixture
def scratch(tmp_path: Path, sbcl: Sbcl, monkeypatch: pytest.MonkeyPatch) -> Scratch:
    """A scratch folder, for images that take no time to load anything."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "oblist" / "code").mkdir(parents=True)

    def with_asdf(*_: object) -> Layer:
        folder, code = store.layer_folder("asdf"), tmp_path / "oblist" / "code"

        def make(_: Path, core: Path) -> LayerFacts:
            core.write_text("core of ASDF")
            return LayerFacts({}, what="ASDF", code="code")

        return store.find_layer(folder, sbcl, code) or store.make_layer(folder, sbcl, code, make)

    monkeypatch.setattr(bases, "layer_with_asdf", with_asdf)
    monkeypatch.setattr(bases, "SliceImage", Loading)
    monkeypatch.setattr(Loading, "found", [])
    made = Scratch(tmp_path / "scratch")
    made.prepare()
    return made


@pytest.fixture
def around(scratch: Scratch, sbcl: Sbcl, tmp_path: Path) -> SliceSurroundings:
    return SliceSurroundings(sbcl, tmp_path, tmp_path / "places", scratch.compiling("survey"), 10.0, 512)


def texts(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def compiled(scratch: Scratch, key: str, text: str) -> None:
    """Compile a release, for the first time or again."""
    folder = scratch.compiling(key) / "sbcl"
    folder.mkdir()
    (folder / f"{key}.fasl").write_text(text)


def listed() -> list[str]:
    return sorted(one.what for one in cache.entries())


def test_a_base_goes_with_what_it_was_made_from(scratch: Scratch, around: SliceSurroundings) -> None:
    compiled(scratch, "tool", "first")
    with base_in_use(around, PLAN, scratch) as core:
        assert core.read_text() == "core with tool"
        assert texts(around.fasls) == MORE
    assert texts(around.fasls) == {"sbcl/more.fasl": "for the base"}

    compiled(scratch, "tool", "again")
    around = replace(around, fasls=scratch.compiling("slice"))
    with base_in_use(around, PLAN, scratch):
        assert texts(around.fasls) == MORE
        (around.fasls / "sbcl" / "slice.fasl").write_text("of the slice")
        drop_bases(scratch)
        assert core.exists(), "it is in use"
    assert texts(around.fasls) == {"sbcl/slice.fasl": "of the slice"}
    assert Loading.found == [{"sbcl/tool.fasl": "first"}]

    drop_bases(Scratch(scratch.folder / "another"))
    assert listed() == ["ASDF", "libraries: tool"]
    drop_bases(scratch)
    assert listed() == ["ASDF"]


def test_what_has_nothing_to_load_first_starts_from_asdf(scratch: Scratch, around: SliceSurroundings) -> None:
    compiled(scratch, "tool", "first")
    with base_in_use(around, replace(PLAN, base=()), scratch) as core:
        assert core.read_text() == "core of ASDF"
        assert texts(around.fasls) == {"sbcl/tool.fasl": "first"}, "it may load what depends on it in turn"
    assert texts(around.fasls) == {}
    assert (listed(), Loading.found) == (["ASDF"], [])


def test_what_was_linked_goes_with_a_task_that_fails(scratch: Scratch, around: SliceSurroundings) -> None:
    compiled(scratch, "tool", "first")
    (around.fasls / "sbcl").mkdir()
    with pytest.raises(ZeroDivisionError), base_in_use(around, PLAN, scratch):
        assert texts(around.fasls) == MORE
        raise ZeroDivisionError
    assert texts(around.fasls) == {"sbcl/more.fasl": "for the base"}


def test_the_cache_lists_bases_and_removes_none_in_use(scratch: Scratch, around: SliceSurroundings) -> None:
    compiled(scratch, "tool", "first")
    with base_in_use(around, PLAN, scratch) as core:
        for folder in (core.parent, store.layer_folder("asdf")):
            os.utime(folder, (0, 0))  # neither was asked for in the last ten minutes
        (one,) = [one for one in cache.entries() if one.path == core.parent]
        assert (one.kind, one.what, one.useless) == ("layer", "libraries: tool", None)
        assert cache.prune(0) == []
    assert {one.what for one in cache.prune(0)} == {"ASDF", "libraries: tool"}
    assert not core.parent.exists()


def test_only_the_last_bases_are_kept(scratch: Scratch, around: SliceSurroundings) -> None:
    compiled(scratch, "tool", "first")
    for number in range(9):
        with base_in_use(around, replace(PLAN, base=(f"tool-{number}",)), scratch):
            pass
    assert len(listed()) == 1 + 6
    assert listed()[-1] == "libraries: tool-8"


def test_one_makes_a_base_and_others_wait(
    scratch: Scratch, around: SliceSurroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(scratch, "tool", "first")
    waiting = threading.Barrier(2)
    cores = []

    class Slow(Loading):
        def records(self) -> Iterator[object]:
            waiting.wait(10)
            return iter(())

    def use(key: str) -> None:
        with base_in_use(replace(around, fasls=scratch.compiling(key)), PLAN, scratch) as core:
            cores.append(core)

    monkeypatch.setattr(bases, "SliceImage", Slow)
    users = [threading.Thread(target=use, args=[key]) for key in ("one", "two")]
    for user in users:
        user.start()
    waiting.wait(10)  # only one arrives there, or the barrier would be broken
    for user in users:
        user.join(10)
    assert len(cores) == 2 and cores[0] == cores[1]
    assert len(Loading.found) == 1


def test_saving_has_a_second_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel ends the first that saves, in the midst of it, because it may not write so large a file."""
    mark, program, tool = tmp_path / "mark", tmp_path / "sbcl", tmp_path / "tool.asd"
    program.write_text(
        f'#!/bin/sh\n[ -e {mark} ] || {{ touch {mark}; ulimit -f 20000; }}\nexec {small_sbcl().path} "$@"\n'
    )
    program.chmod(0o755)
    tool.write_text('(defsystem "tool")\n')
    (tmp_path / "places").write_text(f"tool {tool}\n")
    monkeypatch.setattr(bases, "layer_with_asdf", lambda *_: layer_with_asdf(small_sbcl(), lambda _: None))
    scratch = Scratch(tmp_path / "scratch")
    scratch.prepare()
    sbcl = replace(small_sbcl(), path=program)
    code = compiled_code(small_sbcl(), user_cache_folder())
    around = SliceSurroundings(sbcl, code, tmp_path / "places", scratch.compiling("survey"), 60.0, 512)
    with base_in_use(around, PLAN, scratch) as core:
        assert mark.exists()
        assert core.stat().st_size > 20_000 * 512
    drop_bases(scratch)
    assert not core.exists()


def test_the_cache_may_be_on_another_file_system(
    scratch: Scratch, around: SliceSurroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dates stay, which ASDF compares."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    compiled(scratch, "tool", "first")
    date = 1_000_000_000
    os.utime(scratch.fasls("tool") / "sbcl" / "tool.fasl", (date, date))
    for _ in range(2):
        with base_in_use(around, PLAN, scratch):
            assert texts(around.fasls) == MORE
            assert (around.fasls / "sbcl" / "tool.fasl").stat().st_mtime == date
