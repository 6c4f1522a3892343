"""Roots: the folders on this machine that hold the sources of an index.

An index records where each source file was when the index was built. ``--root NAME=PATH``, the variable
``OBLIST_ROOTS`` and ``open_index(roots=...)`` give the current path of a root; roots below it move with it
unless their own paths are given too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import RootsError

ROOTS_VARIABLE = "OBLIST_ROOTS"


def parse_roots(assignments: Iterable[str], where: str) -> dict[str, str]:
    """Parse ``NAME=PATH`` texts; raises RootsError, which says ``where`` they were given."""
    roots = {}
    for assignment in assignments:
        name, equals, path = assignment.partition("=")
        if not (name and equals and path):
            raise RootsError(f"{where}: {assignment!r} is not of the form NAME=PATH.")
        roots[name] = path
    return roots


def roots_from_environment() -> dict[str, str]:
    """Parse OBLIST_ROOTS: entries NAME=PATH, separated as in PATH. Raises RootsError."""
    text = os.environ.get(ROOTS_VARIABLE, "")
    return parse_roots(filter(None, text.split(os.pathsep)), ROOTS_VARIABLE)


class Roots:
    """The roots of one build, and the new paths of the ones that moved."""

    def __init__(
        self, folders: Mapping[str, str], explicit: dict[str, str], inherited: Mapping[str, str]
    ) -> None:
        """Combine the recorded roots (``folders``, by name) with the new paths of those that moved.

        Raises RootsError if a name in ``explicit`` is not a root. ``inherited`` comes from the environment,
        which is shared by many indexes, so it may name other roots.
        """
        for name in explicit:
            if name not in folders:
                known = ", ".join(sorted(folders)) or "none"
                raise RootsError(f"This index has no root {name!r}; its roots are: {known}.")
        # Sorting is stable, so of two roots with the same folder the explicit one comes first.
        others = {name: path for name, path in inherited.items() if name in folders}
        moved = explicit | {name: path for name, path in others.items() if name not in explicit}
        # The longest folder first: of two that contain a file, the inner one counts.
        self._moved = sorted(
            ((folders[name], _folder(path)) for name, path in moved.items()),
            key=lambda pair: len(pair[0]),
            reverse=True,
        )

    def path(self, path: str | None) -> str | None:
        """Return the path on this machine of the source file that the index records at ``path``."""
        if path is not None:
            for folder, now in self._moved:
                if path.startswith(folder):
                    return now + path[len(folder) :]
        return path


def _folder(path: str) -> str:
    """Return ``path`` as an absolute folder with a final slash."""
    return os.fspath(Path(path).expanduser().absolute()).rstrip("/") + "/"
