"""After any edit the refreshed index is what a full rebuild gives: edits at random, compared row by row."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from support.checkout import ROOT
from support.projects.edits import Editor
from support.projects.followed_project import FollowedProject, NotCompilableError

SAMPLE = ROOT / "data" / "sample"
IRONCLAD = Path("/usr/share/common-lisp/source/ironclad")
FEW, MANY, MANY_OF_LIBRARY = 2, 70, 200


def differences_after_edits(editor: Editor, followed: FollowedProject, edits: int) -> dict[str, list[str]]:
    """Make edits and refresh after each; what was found wrong, by the edit.

    Compared is the refreshed index after each edit that compiles, of which there are ``edits``.
    """
    found: dict[str, list[str]] = {}
    compared = tried = 0
    while compared < edits:
        tried += 1
        assert tried < 3 * edits + 10, "hardly any edit compiles"
        edit = editor.edit()
        if compiles(followed, editor):
            compared += 1
            if wrong := wrong_in(followed):
                found[f"{tried} {edit}"] = wrong
    return found


def compiles(followed: FollowedProject, editor: Editor) -> bool:
    """Refresh; whether that could be done."""
    try:
        followed.refresh()
    except NotCompilableError:
        editor.tell(False)
        return False
    editor.tell(True)
    return True


def wrong_in(followed: FollowedProject, fasls: Path | None = None) -> list[str]:
    """How the index differs from that of a rebuild, of which ``fasls`` may be the own compiled files."""
    if not followed.rebuild(fasls):
        return [f"a refresh could be made, but no rebuild: {followed.output[-500:]}"]
    return followed.findings()[:20]


@pytest.fixture(params=["small", pytest.param("sbcl", marks=pytest.mark.full)])
def sample(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> FollowedProject:
    """A copy of the sample."""
    project = tmp_path / "sample"
    shutil.copytree(SAMPLE, project)
    return FollowedProject(request.getfixturevalue(request.param), project, tmp_path / "work", monkeypatch)


@pytest.mark.timeout(300)
def test_few_edits_of_the_sample(sample: FollowedProject) -> None:
    editor = Editor(sample.project, seed=5)
    assert differences_after_edits(editor, sample, FEW) == {}


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_many_edits_of_the_sample(sample: FollowedProject, seed: int, tmp_path: Path) -> None:
    editor = Editor(sample.project, seed)
    assert differences_after_edits(editor, sample, MANY) == {}
    # Nothing of an earlier state is left in what the refreshes have compiled.
    assert wrong_in(sample, tmp_path / "anew") == []


@pytest.mark.full
@pytest.mark.timeout(4 * 3600)  # some edits have all of its files compiled anew
@pytest.mark.skipif(not IRONCLAD.is_dir(), reason="Debian's cl-ironclad is not installed")
def test_edits_of_a_real_library(sbcl: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "ironclad"
    shutil.copytree(IRONCLAD, project)
    followed = FollowedProject(sbcl, project, tmp_path / "work", monkeypatch)
    assert differences_after_edits(Editor(project, seed=4), followed, MANY_OF_LIBRARY) == {}
