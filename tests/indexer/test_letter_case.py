"""File systems that open a file by its name in any letter case, as those of macOS do."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.indexer.letter_case import ListedPaths
from support.command import oblist

_SYSTEM = '(defsystem "shop" :components ((:file "SRC/package") (:file "src/PRICES")))\n'
_PACKAGE = "(defpackage shop (:use :cl) (:export #:price))\n"
_PRICES = (
    "(in-package shop)\n(defun price (box) (length box))\n(defun total (boxes) (mapcar #'price boxes))\n"
)


@pytest.fixture
def caseless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any spelling of a name is found, as on a file system that ignores case."""

    def lexists(path: str) -> bool:
        folder, name = os.path.split(path)
        return name.casefold() in {one.casefold() for one in os.listdir(folder)}  # noqa: PTH208

    monkeypatch.setattr("oblist.indexer.letter_case.os.path.lexists", lexists)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file whose names have both cases."""
    (tmp_path / "Src").mkdir()
    (tmp_path / "Src" / "Prices.lisp").touch()
    return tmp_path


@pytest.mark.usefixtures("caseless")
@pytest.mark.parametrize("written", ["Src/Prices.lisp", "src/PRICES.LISP", "SRC/prices.lisp"])
def test_a_path_is_as_its_folders_list_it(
    written: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ListedPaths().path(f"{folder}/{written}") == f"{folder}/Src/Prices.lisp"
    monkeypatch.chdir(folder)
    assert ListedPaths().path(written) == "Src/Prices.lisp"


@pytest.mark.usefixtures("caseless")
@pytest.mark.parametrize(
    "written", ["", "/", "src/none.lisp", "none/Prices.lisp", "./src/prices.lisp", "a\0b/c"]
)
def test_what_is_not_there_stays_as_it_is_written(
    written: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    expected = {"src/none.lisp": "Src/none.lisp", "./src/prices.lisp": "./Src/Prices.lisp"}
    assert ListedPaths().path(written) == expected.get(written, written)


def test_names_that_differ_in_case_are_two_where_the_file_system_says_so(folder: Path) -> None:
    (folder / "Src" / "prices.lisp").touch()
    if len(list((folder / "Src").iterdir())) == 1:
        pytest.skip("this file system ignores case")
    for name in ("Prices.lisp", "prices.lisp", "PRICES.LISP"):
        assert ListedPaths().path(f"{folder}/Src/{name}") == f"{folder}/Src/{name}"


@pytest.fixture
def volume(tmp_path: Path) -> Iterator[Path]:
    """A file system that ignores case, as the driver of NTFS has it."""
    if os.getuid() != 0 or not Path("/dev/fuse").exists():
        pytest.skip("only root may mount, and only where there is FUSE")
    assert shutil.which("lowntfs-3g"), "the package ntfs-3g, which the set-up of the corpus installs"
    image, place = tmp_path / "image", tmp_path / "volume"
    with image.open("wb") as file:
        file.truncate(400 << 20)
    place.mkdir()
    subprocess.run(["mkfs.ntfs", "-F", "-Q", image], check=True, capture_output=True)
    mounting = ["lowntfs-3g", image, place, "-o", "ignore_case"]  # it goes on as a daemon with these streams
    subprocess.run(mounting, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_project_whose_definition_spells_its_files_otherwise(
    volume: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = volume / "shop"
    (project / "src").mkdir(parents=True)
    (project / "shop.asd").write_text(_SYSTEM)
    (project / "src" / "package.lisp").write_text(_PACKAGE)
    prices = project / "src" / "prices.lisp"
    prices.write_text(_PRICES)
    assert (project / "SRC" / "PRICES.lisp").exists()

    monkeypatch.chdir(project)
    built = oblist("index", "--project", ".")
    assert built.returncode == 0, built.stderr
    for path in (".", "src/Prices.lisp", str(project / "SRC" / "prices.lisp")):
        checked = oblist("check", path, "--statistics")
        assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
        assert "files not checked             0\n" in checked.stdout
    assert oblist("at", "SRC/prices.lisp:2").stdout.startswith(f"{prices}:2  in package SHOP\n")
    renamed = oblist("rename", "shop:price", "cost", "--write")
    assert renamed.returncode == 0, renamed.stderr
    assert "price" not in prices.read_text()
    refreshed = oblist("watch", "--once")
    assert refreshed.returncode == 0, refreshed.stderr
    assert oblist("describe", "shop:cost").returncode == 0
