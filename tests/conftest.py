"""Indexes that several test modules read, built once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.build import build_index
from indexer.image import ImagePlan
from lisp.sbcl import Sbcl, find_sbcl

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
