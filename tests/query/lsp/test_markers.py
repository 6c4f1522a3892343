"""The server answers as the comments in the Lisp files of markers/ say; --update-golden rewrites them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.builds.tested_version import since
from support.command import OBLIST
from support.editors.language_client import LanguageClient
from support.markers.desk import Desk
from support.markers.golden import settle
from support.markers.notation import MarkedFile
from support.markers.situations import marked_files, marker_project, situations

# SBCL 2.0 has a place for (declaim (inline ..)), too, and for accessors only that of the structure.
_OTHERWISE = set() if since("2.2") else {"functions", "outside", "structures"}
SITUATIONS = {one.name: one for one in situations() if one.name not in _OTHERWISE}
UTF_16 = pytest.mark.parametrize("desk", ["utf-16"], indirect=True)
"""The units that positions are counted in unless a client asks for others."""


@pytest.fixture(scope="module")
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """One server for all situations, which counts in the units of an encoding."""
    with LanguageClient([OBLIST, "lsp"], os.environ, marker_project()) as client:
        yield Desk(client.conversation, marker_project(), request.param)


@pytest.mark.parametrize(
    ("desk", "situation"),
    [*(("utf-16", one) for one in SITUATIONS), ("utf-8", "characters"), ("utf-32", "characters")],
    indirect=["desk"],
    scope="module",  # or each situation would get a server of its own
)
def test_the_server_answers_as_the_markers_say(
    desk: Desk, situation: str, pytestconfig: pytest.Config
) -> None:
    files = marked_files(SITUATIONS[situation])
    settle(files, desk.told(situation, files), update=pytestconfig.getoption("update_golden"))


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """A copy of a situation that has every sort of marker."""
    return Path(shutil.copytree(SITUATIONS["edited"], tmp_path / "edited"))


@UTF_16
def test_a_wrong_expectation_is_told_with_the_lisp_around_it(desk: Desk, edited: Path) -> None:
    uses = edited / "uses.lisp"
    right = "definition: edited.lisp: (defun «stays»"
    uses.write_text(uses.read_text().replace(right, "definition: (defun «x»"))
    files = marked_files(edited)
    with pytest.raises(AssertionError) as told:
        settle(files, desk.told("edited", files), update=False)
    said = str(told.value).split("\n")
    assert f"--- {uses}" in said
    assert "   (list (stays 1) (total 2) (moved 3) (removed) (tally 4)))" in said
    assert "-;@       ^ definition: (defun «x» (x) x)" in said
    assert "+;@       ^ definition: edited.lisp: (defun «stays» (x) x)" in said


@UTF_16
def test_answers_that_are_taken_away_come_back_and_are_then_left_alone(desk: Desk, edited: Path) -> None:
    before = {file.path: file.marked for file in marked_files(edited)}
    for file in marked_files(edited):
        file.path.write_bytes(file.told({}, []).encode())
    assert all(path.read_text() != text for path, text in before.items())
    update(desk, edited)
    assert {path: path.read_bytes().decode() for path in before} == before
    times = [path.stat().st_mtime_ns for path in before]
    update(desk, edited)
    assert [path.stat().st_mtime_ns for path in before] == times


def update(desk: Desk, situation: Path) -> list[MarkedFile]:
    files = marked_files(situation)
    settle(files, desk.told(situation.name, files), update=True)
    return files
