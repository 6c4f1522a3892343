"""The contrib of SLIME, with Debian's SLIME and an image that has not loaded what the index has."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from support.editors.emacs.batch import PACKAGES, emacs, run_tests
from support.swank_servers import swank_server

pytestmark = pytest.mark.full


def slime() -> list[str]:
    """The folders of Debian's SLIME, without those of other packages, which change xref."""
    (folder,) = Path("/usr/share/emacs/site-lisp/elpa").glob("slime-[0-9]*")
    return ["-L", str(folder), "-L", str(folder / "contrib")]


def test_slime_falls_back_on_the_index(sbcl: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with swank_server(sbcl) as server:
        monkeypatch.setenv("PORT", server.where.rpartition(":")[2])
        run_tests("slime-oblist-tests.el", tmp_path, more=[*slime()], least=8)


def test_it_compiles_without_a_warning(tmp_path: Path) -> None:
    copy = shutil.copy(PACKAGES / "slime-oblist.el", tmp_path)
    strict = "(setq byte-compile-error-on-warn t)"
    assert emacs(*slime(), "--eval", strict, "-f", "batch-byte-compile", copy, folder=tmp_path) == ""
