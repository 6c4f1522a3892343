"""The portable producer on SBCL tells what oblist's own dump tells, as far as it goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oblist.query import open_index
from support.builds import build_cache
from support.builds.portable import defined, exported, index_by_producer

PACKAGES = json.dumps(["COMMON-LISP"])
UNKNOWN = {"type", "setf-expander", "special-operator", "compiler-macro"}  # lambda lists that only SBCL tells
# What only the compiler has.
COMPILERS = {"transform", "vop", "optimizer", "source-transform", "ir1-convert", "declaration", "alien-type"}


def _build(folder: Path) -> None:
    sbcl = [
        str(build_cache.tested_sbcl().path),
        "--noinform",
        "--no-sysinit",
        "--no-userinit",
        "--non-interactive",
        "--eval",
    ]
    index_by_producer(sbcl, folder, [])


@pytest.fixture(scope="session")
def portable() -> Path:
    return build_cache.kept("portable-on-sbcl", _build) / "oblist.db"


def test_it_tells_the_same_exports(portable: Path, bare_index: Path) -> None:
    names = exported(portable, PACKAGES)
    assert names == exported(bare_index, PACKAGES)
    assert len(names) == 978


def test_it_tells_the_same_definitions(portable: Path, bare_index: Path) -> None:
    told, known = defined(portable, PACKAGES), defined(bare_index, PACKAGES)
    wanted = {
        one
        for one in known
        # Left out: methods, since ASDF adds some; types, since no DEFTYPE defines the built-in ones; CAS.
        if one.kind not in {*COMPILERS, "method", "type", "method-combination"} and one.operator != "CAS"
    }
    assert {one for one in told if one.kind not in ("method", "type")} == wanted
    assert len(wanted) > 1000


def test_it_tells_the_same_lambda_lists(portable: Path, bare_index: Path) -> None:
    told, known = defined(portable, PACKAGES), defined(bare_index, PACKAGES)
    # SBCL adds the keywords of the methods to those of a generic function.
    both = [one for one in told.keys() & known.keys() if one.kind not in UNKNOWN]
    differing = {one.name for one in both if told[one] != known[one]}
    assert differing <= {"INITIALIZE-INSTANCE", "REINITIALIZE-INSTANCE", "SHARED-INITIALIZE"}
    assert len(both) > 1000


def test_it_leaves_no_trace(portable: Path) -> None:
    with open_index(portable) as index:
        assert index.sbcl == build_cache.tested_sbcl().version
        assert "OBLIST-RECORDS" not in index.package_numbers
        assert (
            index.rows("SELECT 1 FROM symbols WHERE name IN ('DUMP-SYSTEMS', 'PUT-RECORD', 'SURROGATE-P')")
            == []
        )
