"""Emacs in batch: our package files are compiled and checked, and their tests run with a real index."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from support.checkout import ROOT
from support.command import OBLIST
from support.editors.emporium import emporium

HERE = Path(__file__).parent
PACKAGES = ROOT / "data" / "clients" / "emacs"
_SECONDS = 240


def emacs(*arguments: str | Path, folder: Path) -> str:
    """What Emacs says in batch, with our package files on its path and a project; it must succeed."""
    program = shutil.which("emacs")
    assert program is not None, "make setup-corpus installs Emacs"
    done = subprocess.run(
        [program, "-Q", "--batch", "-L", str(PACKAGES), "-L", str(HERE), *map(str, arguments)],
        env={**os.environ, "OBLIST": OBLIST, "EMPORIUM": str(emporium())},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        cwd=folder,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


def run_tests(name: str, folder: Path, *, more: Sequence[str | Path] = (), least: int) -> None:
    """Run the file of ERT tests with a name, with ``more`` arguments before it.

    All must pass, and there must be at least ``least``.
    """
    said = emacs(*more, "-l", HERE / name, "-f", "ert-run-tests-batch-and-exit", folder=folder)
    found = re.search(r"Ran (\d+) tests, (\d+) results as expected, 0 unexpected", said)
    assert found is not None, said
    assert found[1] == found[2]
    assert int(found[1]) >= least
