"""An index of an image with classes_sample.lisp loaded."""

from __future__ import annotations

from pathlib import Path

from oblist.query import Index
from oblist.query.answers import ClassAnswer
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


def line_of(text: str) -> int:
    """Return the number of the line in the sample that contains ``text``."""
    (line,) = (n for n, one in enumerate(SAMPLE.splitlines(), 1) if text in one)
    return line


def class_in_sample(index: Index, name: str) -> ClassAnswer:
    """Return the answer about a class of the sample."""
    found = index.class_(name, "CLASSES-SAMPLE")
    assert isinstance(found, ClassAnswer), found
    return found


def _build(folder: Path) -> None:
    write_system(folder / "sample", "classes-sample", SAMPLE)
    build_with_system("classes-sample", folder / "sample", folder / "oblist.db", small_sbcl())
