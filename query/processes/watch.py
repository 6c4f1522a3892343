"""Watching a project as a child process: a surface that asks never imports building."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from oblist.lisp.sbcl import ending_with_us, stop

_GRACE_SECONDS = 5.0


class WatchProcess:
    """An ``oblist watch`` that keeps an index up to date, and ends with us; a context manager."""

    def __init__(self, project: Path, index: Path) -> None:
        """Follow the sources below ``project`` in ``index``. What goes wrong is said on standard error."""
        # -P: the folder that we work in is no place to import from.
        command = [
            sys.executable,
            "-P",
            "-m",
            "oblist.query",
            "watch",
            "--quiet",
            "--wait",
            f"--output={index.absolute()}",
        ]
        self._process = subprocess.Popen(
            ending_with_us([*command, "--", str(project)]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def why_ended(self) -> str | None:
        """Why it watches no more; None while it does."""
        code = self._process.poll()
        return None if code is None else f"oblist watch ended with code {code}."

    def __enter__(self) -> WatchProcess:
        return self

    def __exit__(self, *_: object) -> None:
        stop(self._process, grace_seconds=_GRACE_SECONDS)
