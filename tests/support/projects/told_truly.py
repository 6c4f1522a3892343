"""A project of what the text has and SBCL does not record, and its index."""

from __future__ import annotations

from pathlib import Path

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.images import Setup
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.live import LISP_SOURCES

_SOURCE = LISP_SOURCES / "told_truly.lisp"


def told_truly() -> Path:
    """A folder with the project and its index, told.db."""
    return kept("told", _build, [_SOURCE])


def _build(folder: Path) -> None:
    project = folder / "project"
    project.mkdir()
    (project / "told.lisp").write_text(_SOURCE.read_text())
    (project / "told.asd").write_text('(defsystem "told" :components ((:file "told")))\n')
    done = build_index(folder / "told.db", ImagePlan(small_sbcl(), (), Setup([project])), command="test")
    assert done.not_loaded == []
