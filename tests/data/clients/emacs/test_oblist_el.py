"""The package for Emacs: compiled, checked, and used in Emacs with a real index."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.editors.emacs.batch import PACKAGES, emacs, run_tests

pytestmark = pytest.mark.full


def test_it_answers_in_emacs(tmp_path: Path) -> None:
    run_tests("oblist-tests.el", tmp_path, least=16)


def test_it_compiles_without_a_warning(tmp_path: Path) -> None:
    copy = shutil.copy(PACKAGES / "oblist.el", tmp_path)
    strict = "(setq byte-compile-error-on-warn t)"
    said = emacs("--eval", strict, "-f", "batch-byte-compile", copy, folder=tmp_path)
    assert said == ""
    assert Path(f"{copy}c").exists()


@pytest.mark.parametrize("name", ["oblist.el", "slime-oblist.el", "sly-oblist.el"])
def test_the_documentation_is_as_emacs_wants_it(name: str, tmp_path: Path) -> None:
    copy = shutil.copy(PACKAGES / name, tmp_path)
    assert emacs("--eval", f'(checkdoc-file "{copy}")', folder=tmp_path) == ""


def test_eglot_starts_the_server_as_it_says(tmp_path: Path) -> None:
    run_tests("eglot-oblist-tests.el", tmp_path, least=1)
