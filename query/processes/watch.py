"""Watching a project as a child process: a surface that asks never imports building."""

from __future__ import annotations

import subprocess
from pathlib import Path

from oblist.lisp.sbcl import stop

from .child import child_command

_GRACE_SECONDS = 5.0


class WatchProcess:
    """An ``oblist watch`` that keeps an index up to date, and ends with us; a context manager."""

    def __init__(self, project: Path, index: Path) -> None:
        """Follow the sources below ``project`` in ``index``. What goes wrong is said on standard error."""
        options = ["--quiet", "--wait", f"--output={index.absolute()}"]
        self._process = subprocess.Popen(
            child_command("watch", *options, "--", str(project)),
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
