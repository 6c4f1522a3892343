"""Roots: where the sources of an index lie on this machine.

An index says of each source file where it lay when the index was built. ``--root NAME=PATH``, the
variable ``OBLIST_ROOTS`` and ``open_index(roots=...)`` say where a root lies now; roots below it
move along unless they are named themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import RootsError

ROOTS_VARIABLE = "OBLIST_ROOTS"


def parse_roots(assignments: Iterable[str], where: str) -> dict[str, str]:
    """Names and paths of ``NAME=PATH`` texts; raises RootsError, which names ``where`` they stood."""
    roots = {}
    for assignment in assignments:
        name, equals, path = assignment.partition("=")
        if not (name and equals and path):
            raise RootsError(f"{where}: {assignment!r} is not NAME=PATH.")
        roots[name] = path
    return roots


def roots_from_environment() -> dict[str, str]:
    """What OBLIST_ROOTS says: NAME=PATH, separated as in PATH. Raises RootsError."""
    text = os.environ.get(ROOTS_VARIABLE, "")
    return parse_roots(filter(None, text.split(os.pathsep)), ROOTS_VARIABLE)


class Roots:
    """The roots of one build, with those that lie elsewhere now."""

    def __init__(
        self, folders: Mapping[str, str], explicit: dict[str, str], inherited: Mapping[str, str]
    ) -> None:
        """``folders`` are the roots as the index has them, by name.

        ``explicit`` says where some lie now: each must be a root, else RootsError. So does
        ``inherited``, from the environment, which is made for many indexes and may name others.
        """
        for name in explicit:
            if name not in folders:
                known = ", ".join(sorted(folders)) or "none"
                raise RootsError(f"This index has no root {name!r}; it has: {known}.")
        # Of two roots with the same folder the explicit one comes first, for sorting is stable.
        others = {name: path for name, path in inherited.items() if name in folders}
        moved = explicit | {name: path for name, path in others.items() if name not in explicit}
        # The longest folder first: of two that a file lies below, the nearer one counts.
        self._moved = sorted(
            ((folders[name], _folder(path)) for name, path in moved.items()),
            key=lambda pair: len(pair[0]),
            reverse=True,
        )

    def path(self, path: str | None) -> str | None:
        """Where the source file that the index has at ``path`` lies on this machine."""
        if path is not None:
            for folder, now in self._moved:
                if path.startswith(folder):
                    return now + path[len(folder) :]
        return path


def _folder(path: str) -> str:
    """``path`` as an absolute folder with its final slash."""
    return os.fspath(Path(path).expanduser().absolute()).rstrip("/") + "/"
