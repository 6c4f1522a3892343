"""Nothing stays open longer than it is wanted, whatever fails; the garbage collector has nothing to close."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.browse.database import IndexDatabase
from oblist.query.errors import IndexDamagedError, RootsError
from oblist.query.index.meanings import IndexMeanings
from oblist.query.indexes import open_indexes
from oblist.query.lsp.indexed.project import IndexedProject
from oblist.query.processes.pool import IndexPool
from support.damaged.open_files import times_open


@pytest.fixture
def copy(bare_index: Path, tmp_path: Path) -> Path:
    path = tmp_path / "oblist.db"
    shutil.copy(bare_index, path)
    return path


def test_an_index_that_is_refused_is_closed(copy: Path) -> None:
    with pytest.raises(RootsError) as unknown:  # whose traceback refers to all that was made
        open_index(copy, roots={"nowhere": "/x"})
    assert times_open(copy) == 0, unknown
    with pytest.raises(RootsError) as unknown:
        open_indexes([copy], roots={"nowhere": "/x"})
    assert times_open(copy) == 0, unknown
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("DELETE FROM meta WHERE name = 'complete'")
    with pytest.raises(IndexDamagedError) as damaged:
        open_index(copy)
    assert times_open(copy) == 0, damaged


def test_an_index_that_is_lent_out_is_closed_when_it_comes_back_to_a_closed_pool(copy: Path) -> None:
    pool = IndexPool(lambda: open_index(copy))
    with pool.lent() as index, pool.lent():
        assert times_open(copy) == 2
        pool.close()
        assert index.describe("car")
    assert times_open(copy) == 0


def test_a_project_of_an_editor_that_cannot_be_read_is_closed(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("these rows")

    monkeypatch.setattr(IndexMeanings, "__init__", fail)
    with pytest.raises(ValueError, match="these rows") as failed:
        IndexedProject(copy, None)
    assert times_open(copy) == 0, failed


def test_a_build_of_which_not_all_connections_can_be_opened_is_closed(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    connect = IndexDatabase.connect

    def failing(database: IndexDatabase, write: bool = False) -> sqlite3.Connection:
        if len(opened) == 3:
            raise sqlite3.OperationalError("unable to open database file")
        opened.append(connect(database, write))
        return opened[-1]

    monkeypatch.setattr(IndexDatabase, "connect", failing)
    with closing(IndexDatabase(None, str(copy))) as database:
        with pytest.raises(sqlite3.OperationalError):
            database._current_build()
        assert len(opened) == 3 and times_open(copy) == 0
