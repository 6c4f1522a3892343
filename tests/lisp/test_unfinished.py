"""What is being made has a name that tells who makes it: what the dead left goes, all else stays."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from oblist.lisp.unfinished import drop_unfinished, file_beside, temporary_folder, unfinished_folder


@pytest.fixture
def dead() -> int:
    """The number of a process that is gone."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_folders_of_the_dead_go_and_those_of_the_living_and_of_others_stay(tmp_path: Path, dead: int) -> None:
    for name in (f"making-{dead}-left", f"making-{os.getpid()}-made", "making-", "making-of", f"{dead}-left"):
        (tmp_path / name).mkdir()
    (tmp_path / f"making-{dead}-link").symlink_to(tmp_path / "making-of")
    drop_unfinished(tmp_path, "making-")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {
        f"making-{os.getpid()}-made",
        "making-",
        "making-of",
        f"{dead}-left",
        f"making-{dead}-link",
    }


def test_a_folder_that_somebody_holds_stays_whoever_that_is(tmp_path: Path, dead: int) -> None:
    """As in a container, whose processes have other numbers."""
    with unfinished_folder(tmp_path, "making-") as folder:
        elsewhere = folder.rename(tmp_path / f"making-{dead}-held")
        drop_unfinished(tmp_path, "making-")
        assert elsewhere.exists()
    drop_unfinished(tmp_path, "making-")
    assert not elsewhere.exists()


def test_temporary_folders_of_the_dead_go(tmp_path: Path, dead: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / f"oblist-proof-{dead}-left").mkdir()
    with temporary_folder("oblist-proof-") as folder:
        assert [*tmp_path.iterdir()] == [folder]
    assert [*tmp_path.iterdir()] == []


def test_files_of_the_dead_beside_a_file_go(tmp_path: Path, dead: int) -> None:
    target = tmp_path / "shop[1].lisp"
    kept = [".shop[1].lisp.orig", f".shop[1].lisp.{os.getpid()}-now.edit", ".shop1.lisp.1-x.edit"]
    for name in (*kept, f".shop[1].lisp.{dead}-left.edit"):
        (tmp_path / name).write_text("")
    number, new = file_beside(target, ".edit")
    os.close(number)
    assert new.parent == tmp_path
    assert {path.name for path in tmp_path.iterdir()} == {*kept, new.name}
