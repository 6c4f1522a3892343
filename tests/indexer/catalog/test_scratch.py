"""The scratch folder: a base goes with the compiled files that it was made from."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.indexer.catalog.making.scratch import Scratch


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    made = Scratch(tmp_path)
    made.prepare()
    return made


def texts(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def compiled(scratch: Scratch, key: str, text: str) -> None:
    """Compile a release, for the first time or again."""
    folder = scratch.compiling(key) / "sbcl"
    folder.mkdir()
    (folder / f"{key}.fasl").write_text(text)


def test_a_base_goes_with_what_it_was_made_from(scratch: Scratch, tmp_path: Path) -> None:
    compiled(scratch, "tool", "first")
    made: list[dict[str, str]] = []

    def make() -> Path:
        made.append(texts(fasls))
        (fasls / "sbcl" / "more.fasl").write_text("for the base")
        (tmp_path / "new").write_text("core")
        return tmp_path / "new"

    all_of_them = {"sbcl/tool.fasl": "first", "sbcl/more.fasl": "for the base"}
    fasls = scratch.compiling("survey")
    with scratch.base_in_use("base", ["tool"], fasls, make) as core:
        assert core.read_text() == "core"
        assert texts(fasls) == all_of_them
    assert texts(fasls) == {"sbcl/more.fasl": "for the base"}

    compiled(scratch, "tool", "again")
    fasls = scratch.compiling("slice")
    with scratch.base_in_use("base", ["tool"], fasls, make):
        assert texts(fasls) == all_of_them
        (fasls / "sbcl" / "slice.fasl").write_text("of the slice")
        scratch.drop_bases()
        assert core.exists(), "it is in use"
    assert texts(fasls) == {"sbcl/slice.fasl": "of the slice"}
    assert made == [{"sbcl/tool.fasl": "first"}]

    scratch.drop_bases()
    assert not any(path.suffix in (".core", ".fasls") for path in (tmp_path / "bases").iterdir())


def test_what_was_linked_goes_with_a_task_that_fails(scratch: Scratch, tmp_path: Path) -> None:
    compiled(scratch, "tool", "first")
    fasls = scratch.compiling("slice")
    (tmp_path / "new").write_text("core")
    with (
        pytest.raises(ZeroDivisionError),
        scratch.base_in_use("base", ["tool"], fasls, lambda: tmp_path / "new"),
    ):
        assert texts(fasls) == {"sbcl/tool.fasl": "first"}
        raise ZeroDivisionError
    assert texts(fasls) == {}
