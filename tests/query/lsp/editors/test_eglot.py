"""A session with the server in Emacs, through eglot."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.editors.sessions import HERE, hold_session

pytestmark = pytest.mark.full


def test_a_session_in_emacs_with_eglot(tmp_path: Path) -> None:
    program = shutil.which("emacs")
    assert program is not None, "make setup-corpus installs Emacs and eglot"
    command = [program, "-q", "--batch", "-l", str(HERE / "eglot.el")]
    hold_session(command, tmp_path, without=("folding", "selection"))
