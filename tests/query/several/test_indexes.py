"""The Python API of several indexes: which files it opens, and how often."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.catalog import open_catalog
from oblist.query.errors import IndexMissingError, IndexVersionError, RootsError
from oblist.query.index.not_found import NotFound
from oblist.query.index.value_source import ValueSource
from oblist.query.indexes import open_indexes
from oblist.query.questions.apropos.several_answer import SeveralAproposAnswer
from oblist.query.questions.describe.several_answer import SeveralDescribeAnswer
from oblist.query.questions.xref.several_answer import SeveralXrefAnswer
from support.catalogs.libraries import libraries


@pytest.fixture(scope="module")
def slices() -> list[Path]:
    """The slices of both versions of shapes, and of drawing."""
    with open_catalog(libraries().catalog) as catalog:
        found = [catalog.slice_of(name) for name in ("shapes@1.0", "shapes@2.0", "drawing")]
    return [path for path in found if isinstance(path, Path)]


def test_a_file_is_asked_once(slices: list[Path], tmp_path: Path) -> None:
    link, hard = tmp_path / "link.db", tmp_path / "hard.db"
    link.symlink_to(slices[0])
    shutil.copyfile(slices[1], tmp_path / "two.db")
    os.link(tmp_path / "two.db", hard)
    with open_indexes([slices[0], link, tmp_path / "two.db", hard, slices[0]]) as indexes:
        assert [one.path for one in indexes.indexes] == [slices[0], tmp_path / "two.db"]
        answer = indexes.apropos("area")
    assert isinstance(answer, SeveralAproposAnswer)
    assert answer.indexes == {str(slices[0]): 1, str(tmp_path / "two.db"): 1}


def test_paths_are_absolute(slices: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(slices[0].parent)
    with open_indexes([slices[0].name, slices[1].name]) as indexes:
        answer = indexes.describe("shapes:area")
    assert isinstance(answer, SeveralDescribeAnswer)
    assert (answer.index, [one.index for one in answer.also_in]) == (str(slices[0]), [str(slices[1])])


def test_the_order_decides(slices: list[Path]) -> None:
    for paths in (slices[:2], slices[1::-1]):
        with open_indexes(paths) as indexes:
            answer = indexes.describe("shapes:area")
        assert isinstance(answer, SeveralDescribeAnswer)
        assert answer.index == str(paths[0])


def test_without_paths_the_default_index_is_asked(
    slices: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OBLIST_INDEX", str(slices[0]))
    monkeypatch.setenv("OBLIST_CATALOG", str(libraries().catalog))
    with open_indexes(catalog=True) as indexes:
        assert [one.path for one in indexes.indexes] == [slices[0]]
        assert indexes.catalog is not None and indexes.catalog.path == libraries().catalog
    with open_indexes() as indexes:
        assert indexes.catalog is None


def test_an_unusable_file_is_an_error_that_names_it(slices: list[Path], tmp_path: Path) -> None:
    with pytest.raises(IndexMissingError, match=r"none\.db: there is no index"):
        open_indexes([slices[0], tmp_path / "none.db"])
    with pytest.raises(IndexMissingError, match=r"none\.db: there is no catalog"):
        open_indexes([slices[0]], catalog=tmp_path / "none.db")
    with pytest.raises(IndexVersionError, match="not an oblist index"):
        open_indexes([libraries().catalog])


def test_a_root_belongs_to_at_least_one_index(slices: list[Path], bare_index: Path, tmp_path: Path) -> None:
    with open_index(bare_index) as index:
        known = {name for name, _ in index.rows("SELECT name, path FROM roots")}
        others = set()
        for path in slices:
            with open_index(path) as one:
                others |= {name for name, _ in one.rows("SELECT name, path FROM roots")}
    (root, *_) = sorted(others - known)
    with open_indexes([bare_index, slices[0], slices[2]], roots={root: tmp_path}) as indexes:
        answer = indexes.xref("shapes:area", limit=0)
    assert isinstance(answer, SeveralXrefAnswer)
    assert [one.path for one in answer.references if (one.path or "").startswith(f"{tmp_path}/")]
    with pytest.raises(RootsError, match="No index has a root 'nowhere'; the roots are: "):
        open_indexes([bare_index, slices[0]], roots={"nowhere": tmp_path})


def test_the_same_project_in_two_places_has_each_use_once(slices: list[Path], tmp_path: Path) -> None:
    """What is below a root of one name is the same file, wherever the root is."""
    copy = tmp_path / "copy.db"
    shutil.copyfile(slices[2], copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        for table in ("roots", "source_files"):
            connection.execute(f"UPDATE {table} SET path = '/elsewhere' || path")
    with open_index(slices[2]) as index, open_index(copy) as moved:
        alone, other = index.xref("shapes:area", limit=0), moved.xref("shapes:area", limit=0)
    assert not isinstance(alone, NotFound) and not isinstance(other, NotFound)
    assert not {one.path for one in alone.references} & {one.path for one in other.references}
    with open_indexes([slices[2], copy]) as indexes:
        answer = indexes.xref("shapes:area", limit=0)
    assert isinstance(answer, SeveralXrefAnswer)
    assert (answer.total, answer.callers) == (alone.total, alone.callers)
    assert all(len(one.indexes) == 2 for one in answer.references)


def test_a_replaced_file_is_noticed(slices: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "oblist.db"
    shutil.copyfile(slices[0], path)
    with open_indexes([slices[1], path]) as indexes:
        before = indexes.describe("drawing:draw")
        shutil.copyfile(slices[2], tmp_path / "new.db")
        (tmp_path / "new.db").replace(path)
        after = indexes.describe("drawing:draw")
    assert isinstance(before, NotFound)
    assert isinstance(after, SeveralDescribeAnswer) and after.index == str(path)


def test_only_the_index_that_describes_asks_for_values(slices: list[Path], bare_index: Path) -> None:
    asked: list[str] = []

    def values(build: str) -> ValueSource:
        asked.append(build)
        raise AssertionError("nobody needs the value")

    with open_indexes([bare_index, *slices], values=values) as indexes:
        answer = indexes.describe("pi", "CL")
        assert isinstance(answer, SeveralDescribeAnswer) and answer.value_from == "constant"
        with pytest.raises(AssertionError, match="nobody needs"):
            indexes.describe("drawing:*ink*")
        with open_index(slices[2]) as drawing:
            assert asked == [drawing.facts.get("build_id", "")]
