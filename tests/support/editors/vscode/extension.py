"""The extension for Visual Studio Code, and the libraries of npm that it is made and tested with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from support.checkout import INSTALLED, ROOT

FOLDER = ROOT / "data" / "clients" / "vscode"
HERE = Path(__file__).parent
MODULES = INSTALLED / "oblist-vscode" / "node_modules"
_SECONDS = 120


def manifest() -> dict[str, Any]:
    """The extension's package.json."""
    found: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    return found


def node() -> str:
    """The program node, and with it the libraries."""
    program = shutil.which("node")
    assert program is not None and MODULES.exists(), (
        "Install Node.js and its libraries with: .ci/setup vscode"
    )
    return program


def scopes(text: str) -> list[list[tuple[str, str]]]:
    """The pieces of each line of a Lisp text, each with the innermost scope that the grammar gives it."""
    grammar = FOLDER / "syntaxes" / "commonlisp.tmLanguage.json"
    done = subprocess.run(
        [node(), str(HERE / "tokens.mjs"), str(MODULES), str(grammar)],
        input=text,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [[(piece, scope) for piece, scope in line] for line in json.loads(done.stdout)]


def packaged(folder: Path) -> Path:
    """The extension as it is installed, made in a folder."""
    node()
    target = folder / "oblist.vsix"
    done = subprocess.run(
        [str(ROOT / ".ci" / "vsix"), str(target)],
        env={**os.environ, "XDG_CACHE_HOME": str(INSTALLED)},
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target
