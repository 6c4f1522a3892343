"""An index of an image with classes_sample.lisp loaded."""

from __future__ import annotations

from pathlib import Path

from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.command import write_system
from support.live import LISP_SOURCES

_SOURCE = LISP_SOURCES / "classes_sample.lisp"
SAMPLE = _SOURCE.read_text(encoding="utf-8")


def classes_sample() -> Path:
    """The index of the system ``classes-sample``."""
    return kept("classes-sample", _build, [_SOURCE]) / "oblist.db"


def _build(folder: Path) -> None:
    write_system(folder / "sample", "classes-sample", SAMPLE)
    build_with_system("classes-sample", folder / "sample", folder / "oblist.db", small_sbcl())
