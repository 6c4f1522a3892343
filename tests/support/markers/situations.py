"""The situations with marked Lisp files, and the one project, with its index, that they make together.

A situation is a folder. With a system definition it is a part of the project; without one it is outside,
and its files are nowhere but in the editor.
"""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.images import Setup
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.checkout import ROOT
from support.markers.notation import MarkedFile
from support.markers.requests import ABOUT_PLACES

_FOLDER = ROOT / "tests" / "query" / "lsp" / "markers"


def situations() -> list[Path]:
    """The folders of the situations."""
    return sorted(path for path in _FOLDER.iterdir() if path.is_dir())


def marked_files(situation: Path) -> list[MarkedFile]:
    """The Lisp files of a situation. Raises MarkerError."""
    return [MarkedFile(path, ABOUT_PLACES) for path in sorted(situation.glob("*.lisp"))]


@cache
def marker_project() -> Path:
    """The project of all situations, as it was when it was indexed."""
    texts = {
        f"{situation.name}/{file.path.name}": file.indexed
        for situation in situations()
        if list(situation.glob("*.asd"))
        for file in marked_files(situation)
    }
    systems = [path for situation in situations() for path in situation.glob("*.asd")]

    def build(folder: Path) -> None:
        project = folder / "project"
        for path in systems:
            (project / path.parent.name).mkdir(parents=True)
            shutil.copy(path, project / path.parent.name)
        for name, text in texts.items():
            (project / name).write_bytes(text.encode())
        (project / ".oblist").mkdir()
        plan = ImagePlan(small_sbcl(), (), Setup([project]))
        done = build_index(project / ".oblist" / "oblist.db", plan, command="test")
        wrong = [f"{one.problem.path}:{one.problem.line}: {one.problem.message}" for one in done.not_loaded]
        assert not wrong, "\n".join(wrong)

    # The markers are no part of what is indexed, so other answers need no other index.
    return kept("markers", build, systems, [part for item in texts.items() for part in item]) / "project"
