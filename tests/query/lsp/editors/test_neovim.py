"""A session with the server in Neovim, with the client that it has built in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.editors.sessions import HERE, hold_session

pytestmark = pytest.mark.full


def test_a_session_in_neovim(tmp_path: Path) -> None:
    program = shutil.which("nvim")
    assert program is not None, "make setup-corpus installs Neovim"
    script = ["-S", str(HERE / "neovim.lua"), "-c", "cquit"]  # which is reached if the script breaks off
    command = [program, "--headless", "-u", "NONE", "-i", "NONE", "-n", *script]
    hold_session(command, tmp_path, without=("folding", "selection"), in_order=False)
