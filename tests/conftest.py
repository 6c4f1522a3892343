"""Fixtures for all test modules: an isolated environment, and indexes that are built once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.format import INDEX_NAME, user_data_folder
from oblist.indexer.image import ImagePlan
from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from support import hermetic
from support.amount import amount
from support.builds import build_cache
from support.builds.build_cache import kept, tested_sbcl
from support.builds.images import bare_image
from support.builds.shared_code import share_code
from support.builds.small_sbcl import small_sbcl
from support.builds.systems import LIBRARIES, SYSTEMS
from support.corpus import corpus_systems
from support.shelf import shelf_and_sources

pytest_plugins = ["support.pages.known_sqlite", "support.starts.counting"]

_HOME = hermetic.enter()
_USERS_INDEX = user_data_folder() / INDEX_NAME
# The tests of live values save snapshots, each in a cache of its own; no other test needs any.
os.environ["OBLIST_NO_SNAPSHOT"] = "1"


def pytest_addoption(parser: pytest.Parser) -> None:
    help_ = (
        "put the answers that are given now in the place of those that tests expect, where files have them"
    )
    parser.addoption("--update-golden", action="store_true", help=help_)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that may take longest, so that no worker is left alone with one at the end."""
    items.sort(key=lambda one: -max((mark.args[0] for mark in one.iter_markers("timeout")), default=0))


def pytest_unconfigure() -> None:
    if _HOME is not None:
        hermetic.leave(_HOME)


@pytest.fixture(scope="session", autouse=True)
def _shared() -> Iterator[None]:
    """Compile our code once, and check at the end that no test has changed what others read."""
    share_code(Path(os.environ["XDG_CACHE_HOME"]))
    yield
    changed = build_cache.changed()
    build_cache.let_go()
    assert changed == [], "a test has changed what it shares with others"


@pytest.fixture(autouse=True)
def _no_index_of_the_user() -> Iterator[None]:
    """Check that the test leaves no index where the tests after it would find one without asking for it."""
    yield
    if _USERS_INDEX.exists():
        _USERS_INDEX.unlink()
        pytest.fail(f"the test has left {_USERS_INDEX}")


@pytest.fixture(scope="session")
def sbcl() -> Sbcl:
    """The SBCL that the tests run."""
    return tested_sbcl()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Sbcl:
    """The SBCL of small_sbcl.py, which the command finds as well."""
    monkeypatch.setenv("SBCL", str(small_sbcl().path))
    return small_sbcl()


def _index(name: str, *systems: str) -> Path:
    def build(folder: Path) -> None:
        summary = build_index(folder / "oblist.db", ImagePlan(tested_sbcl(), systems), command="tests")
        assert summary.not_loaded == []

    return kept(name, build, parts=systems) / "oblist.db"


@pytest.fixture(scope="session")
def bare_index() -> Path:
    """An index of SBCL alone."""
    return bare_image().path


@pytest.fixture(scope="session")
def systems_index() -> Path:
    """An index of SBCL with the systems ``SYSTEMS`` loaded."""
    return _index("systems", *SYSTEMS)


@pytest.fixture(scope="session")
def libraries_index() -> Path:
    """An index of SBCL with a few libraries that people use."""
    return _index("libraries", *LIBRARIES)


@pytest.fixture(scope="session")
def swank_index() -> Path:
    """An index of libraries with Swank, which changes some of what it finds."""
    few = ("cl-ppcre", "split-sequence")
    return _index("swank", *amount(few, LIBRARIES), "swank")


@pytest.fixture(scope="session")
def shelf() -> tuple[Path, Path]:
    """The index of the system in shelf.py, and the folder of its sources."""
    return shelf_and_sources()


@pytest.fixture(scope="session")
def index(shelf: tuple[Path, Path]) -> Iterator[Index]:
    """The index for modules that have no other: that of shelf.py, open."""
    with open_index(shelf[0]) as opened:
        yield opened


@pytest.fixture(scope="session")
def corpus_index() -> Path:
    """An index of the whole corpus: data/systems.txt, which `make verify` installs."""
    return _index("corpus", *corpus_systems())
