"""A project of libraries that people use, with an index of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.command import oblist

LIBRARIES = {
    "alexandria": "alexandria",
    "cl-ppcre": "cl-ppcre",
    "cl-split-sequence": "split-sequence",
    "iterate": "iterate",
    "md5": "md5",
}
"""The systems, by the folders of their sources."""
_SOURCES = Path("/usr/share/common-lisp/source")


INDEX = Path(".oblist", "oblist.db")
WITHOUT_SOURCES = Path(".oblist", "no-sources.db")
"""The two indexes of the project, in its folder."""


def library_project() -> Path:
    """The project, indexed with its sources and without; nobody may change it."""

    def make(folder: Path) -> None:
        for name in LIBRARIES:
            shutil.copytree(_SOURCES / name, folder / name)
        small = {"SBCL": str(small_sbcl().path)}
        for options in ((), ("--no-sources", "--output", folder / WITHOUT_SOURCES)):
            done = oblist("index", "--project", folder, "--no-snapshot", *options, environment=small)
            assert done.returncode == 0, done.stderr

    return kept("edited", make)
