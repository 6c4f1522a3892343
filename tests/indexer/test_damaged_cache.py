"""What a disk or a power cut does to the cache and the index costs a build time, and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from oblist.indexer.checksums import is_as_written
from oblist.lisp.sbcl import Sbcl
from support.amount import amount
from support.builds.shared_code import share_code
from support.command import oblist, write_system

SOURCE = """(defpackage damaged (:use :cl) (:export #:one)) (in-package :damaged)
(defun one (x) "One." (list x))
(defvar *two* 2)
"""


def empty(path: Path) -> None:
    path.write_bytes(b"")


def zero(path: Path) -> None:
    """What a file has whose blocks had not reached the disk."""
    size = path.stat().st_size
    os.truncate(path, 0)
    os.truncate(path, size)


def change_the_middle(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 8)


def cut_the_end(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


FILES = (
    *("fasl-*/dump.fasl", "fasl-*/prepare.fasl", "fasl-*/serve.fasl", "fasl-*/checksums.json"),
    *("layers/*/layer.core", "layers/*/layer.db", "layers/*/layer.files", "layers/*/layer.json"),
    *("layers/*/checksums.json", "libraries/*.json", "last-good/*/state.json", "live/*/record.json"),
    *("live/*/image.core", "texts-of-fasls"),
)


class Built:
    """A project whose index has been built, with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        share_code(folder / "cache")
        self.cache = folder / "cache" / "oblist"
        self.index = folder / "index.db"
        # The shared layers are links, and damage must not reach those of others.
        shutil.rmtree(self.cache / "layers")
        self.project = folder / "damaged"
        fasls = write_system(self.project, "damaged", SOURCE)["ASDF_OUTPUT_TRANSLATIONS"]
        self._environment = {
            "XDG_CACHE_HOME": str(folder / "cache"),
            "ASDF_OUTPUT_TRANSLATIONS": fasls,
            "OBLIST_NO_SNAPSHOT": "",
        }

    def run(self, *how: str) -> subprocess.CompletedProcess[str]:
        """Run the command ``how`` on the project."""
        more = ("--project", self.project) if how[0] == "index" else (self.project,)
        return oblist(*how, *more, "--no-userinit", "--output", self.index, environment=self._environment)

    def build(self, *how: str) -> None:
        """Run the command ``how`` on the project; it succeeds."""
        done = self.run(*how)
        assert (done.returncode, done.stderr) == (0, "")

    def assert_answers(self) -> None:
        """The index is whole, has the project's function, and the value of its variable can be had."""
        assert is_as_written(self.index)
        for name, text in (("damaged:one", "One."), ("damaged::*two*", "Value: 2")):
            done = oblist("describe", name, "--index", self.index, environment=self._environment)
            assert (done.returncode, done.stderr) == (0, ""), done
            assert text in done.stdout

    def damage(self, pattern: str, harm: Callable[[Path], None]) -> None:
        """Do ``harm`` to all files of the cache that the ``pattern`` finds."""
        found = [*self.cache.glob(pattern)]
        assert found, pattern
        for file in found:
            harm(file)


@pytest.fixture
def built(tmp_path: Path, small: Sbcl) -> Built:
    found = Built(tmp_path)
    found.build("index")
    found.assert_answers()
    return found


def test_a_cache_of_zeros_is_made_again(built: Built) -> None:
    for pattern in FILES:
        built.damage(pattern, zero)
    built.build("index", "--force")
    built.assert_answers()


@pytest.mark.full
@pytest.mark.parametrize("pattern", FILES)
def test_a_file_of_the_cache_that_is_damaged_is_made_again(built: Built, pattern: str) -> None:
    for harm in (empty, zero, change_the_middle):
        built.damage(pattern, harm)
        built.build("index", "--force")
        built.assert_answers()


def test_a_damaged_index_is_made_again_although_nothing_has_changed(built: Built) -> None:
    for command in (("index",), ("watch", "--once")):
        built.build(*command)
        before = built.index.stat().st_ino
        built.build(*command)
        assert built.index.stat().st_ino == before, "nothing has changed"
        for harm in amount([change_the_middle], [change_the_middle, cut_the_end]):
            harm(built.index)
            assert not is_as_written(built.index)
            built.build(*command)
            built.assert_answers()


def test_a_damaged_fasl_of_the_project_is_named_and_what_to_do_about_it(built: Built) -> None:
    fasl = next((built.project / "fasl").rglob("damaged.fasl"))
    for harm in amount([zero], [zero, empty]):
        harm(fasl)
        done = built.run("index", "--force")
        assert done.returncode == 1
        assert f"{fasl} is damaged" in done.stderr
        assert "Delete the file, and its source will be compiled again." in done.stderr
        fasl.unlink()
        built.build("index")
        built.assert_answers()
