"""After random edits a refreshed index equals that of a full rebuild, row by row."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from support.projects.edits import Editor
from support.projects.followed_project import FollowedProject, NotCompilableError
from support.projects.sample import with_small_libraries

IRONCLAD = Path("/usr/share/common-lisp/source/ironclad")
FEW = 1
# What SBCL's own code calls is the same before and after an edit, and takes most of the time.
EDITS_OF_SAMPLE = [("sbcl", 1, 10), ("small", 2, 60), ("small", 3, 60)]
FROM_SCRATCH = 10  # one build of so many
EDITS_OF_LIBRARY = [*(("small", seed, 25) for seed in (4, 7, 8, 9)), ("sbcl", 5, 5)]


def differences_after_edits(editor: Editor, followed: FollowedProject, edits: int) -> dict[str, list[str]]:
    """Make edits and refresh after each; the differences found, by edit.

    The index is compared after each edit that compiles, until there were ``edits`` of them.
    """
    followed.refresh()  # an index that has the whole project, which later edits may break
    found: dict[str, list[str]] = {}
    compared = tried = 0
    while compared < edits:
        tried += 1
        assert tried < 3 * edits + 10, "hardly any edit compiles"
        edit = editor.edit()
        if compiles(followed, editor):
            compared += 1
            # Most of the builds may use the layer below the project; from scratch they take far longer.
            if wrong := wrong_in(followed, from_scratch=compared % FROM_SCRATCH == 0 or compared == edits):
                found[f"{tried} {edit}"] = wrong
    return found


def compiles(followed: FollowedProject, editor: Editor) -> bool:
    """Refresh; whether the project compiled."""
    try:
        followed.refresh()
    except NotCompilableError:
        editor.tell(False)
        return False
    editor.tell(True)
    followed.follower.wait_for_parts()  # so that the next refresh starts from what is made below this edit
    return True


def wrong_in(followed: FollowedProject, fasls: Path | None = None, *, from_scratch: bool = True) -> list[str]:
    """The differences from a rebuild, which may use compiled files of its own in ``fasls``."""
    if not followed.rebuild(fasls, from_scratch=from_scratch):
        return [f"a refresh could be made, but no rebuild: {followed.output[-500:]}"]
    return followed.findings()[:20]


def followed_copy(sbcl: Sbcl, source: Path, folder: Path, environment: pytest.MonkeyPatch) -> FollowedProject:
    """A copy of the project in ``source``, with its index."""
    project = folder / source.name
    shutil.copytree(source, project)
    return FollowedProject(sbcl, project, folder / "work", environment)


def test_few_edits_of_the_sample(small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = followed_copy(small, with_small_libraries(monkeypatch), tmp_path, monkeypatch)
    assert differences_after_edits(Editor(sample.project, seed=5), sample, FEW) == {}


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("image", "seed", "edits"), EDITS_OF_SAMPLE)
def test_many_edits_of_the_sample(
    request: pytest.FixtureRequest,
    image: str,
    seed: int,
    edits: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sample = followed_copy(
        request.getfixturevalue(image), with_small_libraries(monkeypatch), tmp_path, monkeypatch
    )
    assert differences_after_edits(Editor(sample.project, seed), sample, edits) == {}
    # No fasl compiled by the refreshes has traces of an earlier state.
    assert wrong_in(sample, tmp_path / "anew") == []


@pytest.mark.full
@pytest.mark.timeout(4 * 3600)  # some edits recompile all of its files
@pytest.mark.skipif(not IRONCLAD.is_dir(), reason="Debian's cl-ironclad is not installed")
@pytest.mark.parametrize(("image", "seed", "edits"), EDITS_OF_LIBRARY)
def test_edits_of_a_real_library(
    request: pytest.FixtureRequest,
    image: str,
    seed: int,
    edits: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ironclad = followed_copy(request.getfixturevalue(image), IRONCLAD, tmp_path, monkeypatch)
    assert differences_after_edits(Editor(ironclad.project, seed), ironclad, edits) == {}
