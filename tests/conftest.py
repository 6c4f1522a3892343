"""Indexes that several test modules read, built once a run, however many processes it has."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from corpus import corpus_systems
from shelf import build_shelf, shelf_index, shelf_sources

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.sbcl import Sbcl, find_sbcl

# The tests of live values save snapshots, each in a cache of its own; no other test drops the user's.
os.environ["OBLIST_NO_SNAPSHOT"] = "1"

SYSTEMS = ("asdf", "sb-posix")


@pytest.fixture(scope="session")
def sbcl() -> Sbcl:
    """The SBCL that the tests run."""
    return find_sbcl()


Build = Callable[[Path], object]
BuiltOnce = Callable[[str, Build], Path]


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> BuiltOnce:
    """Gives the folder of a name, made by a function when no other worker of this run has made it."""
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent

    def folder_of(name: str, build: Build) -> Path:
        folder, done = shared / f"once-{name}", shared / f"once-{name}.done"
        with (shared / f"once-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                build(folder)
                done.touch()
        return folder

    return folder_of


def _index(sbcl: Sbcl, systems: Sequence[str]) -> Build:
    return lambda folder: build_index(folder / "oblist.db", ImagePlan(sbcl, systems), command="tests")


@pytest.fixture(scope="session")
def bare_index(sbcl: Sbcl, built_once: BuiltOnce) -> Path:
    """An index of SBCL alone."""
    return built_once("bare", _index(sbcl, ())) / "oblist.db"


@pytest.fixture(scope="session")
def systems_index(sbcl: Sbcl, built_once: BuiltOnce) -> Path:
    """An index of SBCL with the systems ``SYSTEMS`` loaded."""
    return built_once("systems", _index(sbcl, SYSTEMS)) / "oblist.db"


LIBRARIES = ("alexandria", "cl-ppcre", "closer-mop", "iterate", "split-sequence", "md5", "sb-posix")


@pytest.fixture(scope="session")
def libraries_index(sbcl: Sbcl, built_once: BuiltOnce) -> Path:
    """An index of SBCL with a few libraries that people use."""
    return built_once("libraries", _index(sbcl, LIBRARIES)) / "oblist.db"


@pytest.fixture(scope="session")
def shelf(sbcl: Sbcl, built_once: BuiltOnce) -> tuple[Path, Path]:
    """The index of the system in shelf.py, and the folder of its sources."""
    folder = built_once("shelf", lambda folder: build_shelf(sbcl, folder))
    return shelf_index(folder), shelf_sources(folder)


@pytest.fixture(scope="session")
def corpus_index(sbcl: Sbcl, built_once: BuiltOnce) -> Path:
    """An index of the whole corpus: data/systems.txt, which `make verify` installs."""

    def build(folder: Path) -> None:
        summary = build_index(folder / "oblist.db", ImagePlan(sbcl, corpus_systems()), command="tests")
        assert summary.not_loaded == []

    return built_once("corpus", build) / "oblist.db"
