"""Sources that are not on this machine, for clients that cannot ask for their content."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from oblist.query.lsp.indexed.absent import AbsentSources
from oblist.query.lsp.indexed.project import IndexedProject

_WHERE = "/nowhere/src/code/list.lisp"


@pytest.fixture(params=["in memory", "in a folder"])
def where(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways; only Linux has files in memory."""
    if request.param == "in a folder":
        monkeypatch.delattr(os, "memfd_create", raising=False)
    return str(request.param)


def test_an_editor_can_read_the_text_and_nothing_stays(where: str, bare_index: Path) -> None:
    with closing(IndexedProject(bare_index, None)) as project:
        number = next(number for number in range(1, 500) if project.text(number))
        absent = AbsentSources()
        uri = absent.uri(project, number, _WHERE)
        there = Path(unquote(urlsplit(uri).path))
        assert there.read_text(encoding="utf-8") == project.text(number)
        assert absent.path(uri) == _WHERE
        assert absent.uri(project, number, _WHERE) == uri
        if where == "in a folder":
            assert stat.S_IMODE(there.stat().st_mode) == 0o400
            assert stat.S_IMODE(there.parent.stat().st_mode) == 0o700
        absent.close()
        assert not there.exists()


@pytest.mark.parametrize("path", ["/", "/a/..", "..", "relative", "/a/" + "b" * 200])
def test_the_path_that_an_index_has_decides_no_place(
    path: str, bare_index: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with closing(IndexedProject(bare_index, None)) as project:
        absent = AbsentSources()
        there = Path(unquote(urlsplit(absent.uri(project, 1, path)).path))
        assert tmp_path in there.resolve().parents
        absent.close()
        assert list(tmp_path.iterdir()) == []
