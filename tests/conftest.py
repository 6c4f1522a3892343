"""Indexes that several test modules read, built once a session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from corpus import corpus_systems
from shelf import build_shelf

from indexer.build import build_index
from indexer.image import ImagePlan
from lisp.sbcl import Sbcl, find_sbcl

# The tests of live values save snapshots, each in a cache of its own; no other test drops the user's.
os.environ["OBLIST_NO_SNAPSHOT"] = "1"

SYSTEMS = ("asdf", "sb-posix")


@pytest.fixture(scope="session")
def sbcl() -> Sbcl:
    """The SBCL that the tests run."""
    return find_sbcl()


@pytest.fixture(scope="session")
def bare_index(sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of SBCL alone."""
    path = tmp_path_factory.mktemp("bare") / "oblist.db"
    build_index(path, ImagePlan(sbcl), command="tests")
    return path


@pytest.fixture(scope="session")
def systems_index(sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of SBCL with the systems ``SYSTEMS`` loaded."""
    path = tmp_path_factory.mktemp("systems") / "oblist.db"
    build_index(path, ImagePlan(sbcl, SYSTEMS), command="tests")
    return path


LIBRARIES = ("alexandria", "cl-ppcre", "closer-mop", "iterate", "split-sequence", "md5", "sb-posix")


@pytest.fixture(scope="session")
def libraries_index(sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of SBCL with a few libraries that people use."""
    path = tmp_path_factory.mktemp("libraries") / "oblist.db"
    build_index(path, ImagePlan(sbcl, LIBRARIES), command="tests")
    return path


@pytest.fixture(scope="session")
def shelf(sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The index of the system in shelf.py, and the folder of its sources."""
    return build_shelf(sbcl, tmp_path_factory.mktemp("shelf"))


@pytest.fixture(scope="session")
def corpus_index(sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the whole corpus: data/systems.txt, which `make verify` installs."""
    path = tmp_path_factory.mktemp("corpus") / "oblist.db"
    summary = build_index(path, ImagePlan(sbcl, corpus_systems()), command="tests")
    assert summary.not_loaded == []
    return path
