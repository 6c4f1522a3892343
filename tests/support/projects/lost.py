"""A project whose definitions are renamed one at a time, and what of it uses each of them."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from pathlib import Path

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.images import Setup
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.live import LISP_SOURCES

SOURCES = LISP_SOURCES / "lost"
_MARK = re.compile(r"; (?:defines: (?P<defines>[^;]+))?(?:; )?(?:uses: (?P<uses>[^;]+))?$")


def lost_project() -> Path:
    """A folder with the project and its index, lost.db."""
    return kept("lost", _build, list(SOURCES.iterdir()))


def _build(folder: Path) -> None:
    project = folder / "project"
    shutil.copytree(SOURCES, project)
    done = build_index(folder / "lost.db", ImagePlan(small_sbcl(), (), Setup([project])), command="test")
    assert done.not_loaded == []


def _marked(wanted: str) -> dict[str, set[tuple[str, int]]]:
    found: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
    for path in SOURCES.glob("*.lisp"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = _MARK.search(line)
            for name in (match[wanted] or "").split(", ") if match else ():
                if name:
                    found[name.strip()].add((path.name, number))
    return dict(found)


DEFINITIONS = {name: min(places) for name, places in _marked("defines").items()}
"""The file and line of each definition that a comment marks, by its name."""
USES = _marked("uses")
"""The files and lines of the uses that comments mark, by the names that they use."""


def rename(project: Path, name: str) -> Path:
    """Rename the definition of ``name``, and nothing else; return its file."""
    file, line = DEFINITIONS[name]
    path = project / file
    lines = path.read_text().split("\n")
    old = re.compile(rf"(?<=[\s(:]){re.escape(name)}(?=[\s)])")
    lines[line - 1], count = old.subn(f"{name}2", lines[line - 1], count=1)
    assert count == 1
    path.write_text("\n".join(lines))
    return path
