"""Watching a project in a child process: a server never imports the builder."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from oblist.lisp.descendants import stop

from .child import child_command

_GRACE_SECONDS = 5.0


class WatchProcess:
    """A context manager that runs ``oblist watch`` to keep an index up to date; it ends with us."""

    def __init__(self, projects: Sequence[Path], index: Path, *, tests: bool = False) -> None:
        """Keep ``index`` up to date with the sources of ``projects``, with ``tests`` their tests too.

        While another process does so, it stands by for as long as the server lives. Errors go to standard
        error.
        """
        options = ["--quiet", "--wait", "--wait-timeout=inf", f"--output={index.absolute()}"]
        options += ["--tests"] if tests else []
        self._process = subprocess.Popen(
            child_command("watch", *options, "--", *map(str, projects)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def why_ended(self) -> str | None:
        """The reason why it stopped watching; None while it is still watching."""
        code = self._process.poll()
        return None if code is None else f"oblist watch ended with exit code {code}."

    def __enter__(self) -> WatchProcess:
        return self

    def __exit__(self, *_: object) -> None:
        stop(self._process, grace_seconds=_GRACE_SECONDS)
