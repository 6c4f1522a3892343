"""What a slice says of what its release brings is what the index of a whole image says of it."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.sbcl import Sbcl, sbcl_arguments
from oblist.query.catalog import open_catalog
from oblist.query.catalog.show.answer import ReleaseAnswer
from support.builds.small_sbcl import small_sbcl
from support.catalogs.libraries import debian_catalog, libraries
from support.catalogs.slice_oracle import slice_differences

SEED = 20
WRITES_ITSELF = "cl-unicode@"
"""Loading it writes its own sources, and reads more symbols, if it has just been compiled."""


def described(catalog: Path, release: str) -> ReleaseAnswer:
    with open_catalog(catalog) as opened:
        answer = opened.show(release)
    assert isinstance(answer, ReleaseAnswer)
    return answer


def compare(release: ReleaseAnswer, sbcl: Sbcl, folder: Path) -> int:
    """Compare the slice with an index of an image; returns the number of rows compared."""
    needed = [one.system for one in release.dependencies if one.release is not None]
    loaded = [one.name for one in release.systems if one.state == "loaded"]
    if needed:  # so that the release alone is compiled in the image that is dumped
        forms = ['(require "asdf")', *(f'(asdf:load-system "{name}")' for name in needed), "(sb-ext:exit)"]
        subprocess.run(sbcl_arguments(sbcl, forms), capture_output=True, check=True)
    build_index(folder / "whole.db", ImagePlan(sbcl, loaded), command="tests")
    assert release.slice is not None
    found, compared = slice_differences(Path(release.slice), folder / "whole.db")
    assert found == [], release.release
    return compared


@pytest.mark.parametrize("release", ["shapes", "drawing", "inferred", "two"])
def test_a_slice_says_what_the_whole_index_says(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = libraries()
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{made.sources}/second//:{made.sources}/first//:")
    monkeypatch.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{tmp_path}/fasl/")
    assert compare(described(made.catalog, release), small_sbcl(), tmp_path) > 10


@pytest.mark.full
def test_slices_of_drawn_libraries_say_what_the_whole_index_says(
    sbcl: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = debian_catalog().catalog
    monkeypatch.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{tmp_path}/fasl/")
    with open_catalog(catalog) as opened:
        names = [one.release for one in opened.releases(state="loaded", limit=0).releases if one.exports]
    names = [name for name in names if not name.startswith(("sbcl@", WRITES_ITSELF))]
    for name in random.Random(SEED).sample(names, min(10, len(names))):
        folder = tmp_path / name
        folder.mkdir()
        compare(described(catalog, name), sbcl, folder)
