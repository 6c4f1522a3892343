"""Following the sources of workspace folders, for all clients of this server together."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from ..processes.watch import WatchProcess


class Watching:
    """A context manager that runs one watcher an index; it ends them with it.

    Servers of one project share a watcher: each child stands by until the one before it ends.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._followed: set[Path] = set()

    def follow(self, folder: Path, index: Path) -> None:
        """Keep an index up to date with the sources of a folder; only the first call for an index counts."""
        if index not in self._followed:
            self._followed.add(index)
            self._stack.enter_context(WatchProcess([folder], index))

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
