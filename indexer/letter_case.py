"""Paths as their folders list them: some file systems open a file by its name in any letter case.

On such a file system (those of macOS and Windows, by default) a path that a system definition or a person has
written may differ in case from the name of the file. Paths are compared as text everywhere, so they get the
names that a walk through the folders finds.
"""

from __future__ import annotations

import os


class ListedPaths:
    """Finds out how paths are listed, and remembers what it has found; make a new one for each build."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, str]] = {}
        """For each folder: its names by their casefolded forms; none if the folder tells cases apart."""

    def path(self, path: str) -> str:
        """Return ``path`` as its folders list it; as it is, if it is exact or names nothing."""
        folder, name = os.path.split(path)
        if not name or folder == path:
            return path
        listed = self.path(folder) if folder else folder
        return os.path.join(listed, self._in(listed).get(name.casefold(), name))  # noqa: PTH118

    def _in(self, folder: str) -> dict[str, str]:
        if folder not in self._names:
            self._names[folder] = _caseless_names(folder or os.curdir)
        return self._names[folder]


def _caseless_names(folder: str) -> dict[str, str]:
    """The names in a folder by their casefolded forms; none if the folder tells cases apart."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - a path is built for one name alone
        for name in names:
            if (other := name.swapcase()) != name:
                # One file, under a name that the folder does not list.
                is_caseless = other not in names and os.path.lexists(os.path.join(folder, other))  # noqa: PTH118
                return {one.casefold(): one for one in names} if is_caseless else {}
    except (OSError, ValueError):  # a name that no file system can have
        pass
    return {}
