"""A session with the server through the protocol library of Visual Studio Code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.checkout import INSTALLED
from support.editors.sessions import HERE, hold_session

pytestmark = pytest.mark.full
MODULES = INSTALLED / "oblist-editors" / "node_modules"


def test_a_session_with_the_library_of_visual_studio_code(tmp_path: Path) -> None:
    assert MODULES.exists(), f"{MODULES} is not there. Install it with: .ci/setup editors"
    node = shutil.which("node")
    assert node is not None, "make setup-editors installs Node.js"
    hold_session([node, str(HERE / "node_client.mjs"), str(MODULES)], tmp_path)
