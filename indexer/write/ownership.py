"""Find the root and system of each source file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..records import Root, System
from ..schema.columns import Row

KnownRoot = tuple[str, str, int | None]
_SBCL = "sbcl"
_CONTRIB = "contrib"


@dataclass(frozen=True, slots=True)
class FileOwnership:
    """The root and system of a source file, as far as known. ``path`` begins with the root's path."""

    path: str | None = None
    root: int | None = None
    relative_path: str | None = None
    system: int | None = None


class Ownership:
    """Assigns files to systems and roots, once all of these are known."""

    def __init__(self, existing: Sequence[KnownRoot] = ()) -> None:
        """``existing`` are the roots that have numbers, in order: name, path, and number of the system."""
        self._systems: dict[str, System] = {}
        self._existing = existing
        self._roots: list[Root] = []
        self._by_folder: dict[str, tuple[int, int | None]] | None = None
        self._by_file: dict[str, int] = {}
        self._root_rows: list[Row] = []

    def add_system(self, system: System) -> None:
        """Add a system and its files; a file belongs to the first system that names it."""
        self._systems[system.name] = system
        for path in system.files:
            self._by_file.setdefault(_real(path), system.id)

    def add_root(self, root: Root) -> None:
        """Add a root that belongs to no system."""
        self._roots.append(root)

    def root_rows(self) -> list[Row]:
        """The rows of the table roots: SBCL's root, the project's, then those of systems."""
        self._folders()
        return self._root_rows

    def place_file(self, path: str | None) -> FileOwnership:
        """The place of the file at ``path``, once all systems and roots are known."""
        if not path:
            return FileOwnership()
        folders = self._folders()
        real = _real(path)
        system = self._by_file.get(real)
        for folder in _folders_above(real):
            if folder not in folders:
                continue
            root, owner = folders[folder]
            own = self._own_root(system, folder)
            relative = real[len(folder) :]
            return FileOwnership(
                real, own or root, relative, system or owner or self._contrib(root, relative)
            )
        return FileOwnership(path, system=system)

    def _own_root(self, system: int | None, folder: str) -> int | None:
        """The root of the file's own system, when that root is ``folder`` too."""
        for number, _, path, owner in self._root_rows:
            if owner is not None and owner == system and path == folder:
                assert isinstance(number, int)
                return number
        return None

    def _contrib(self, root: int, relative: str) -> int | None:
        """The system of a file of SBCL's contribs, which ASDF loads without knowing their files."""
        parts = relative.split("/")
        if self._root_rows[root - 1][1] != _SBCL or parts[0] != _CONTRIB:
            return None
        system = self._systems.get(parts[1])
        return system.id if system else None

    def _folders(self) -> dict[str, tuple[int, int | None]]:
        """The root and system of each folder. If a folder is several roots, a system's own root wins."""
        if self._by_folder is None:
            self._by_folder = {}
            names = {*(root.name for root in self._roots), *(name for name, _, _ in self._existing)}
            roots: list[KnownRoot] = [
                *self._existing,
                *((root.name, root.path, None) for root in sorted(self._roots, key=_sbcl_first)),
            ]
            roots += [
                (system.name, system.folder, system.id)
                for system in self._systems.values()
                if system.folder and system.name not in names and not self._is_part(system)
            ]
            for number, (name, path, owner) in enumerate(roots, 1):
                folder = _real(path).rstrip("/") + "/"
                self._root_rows.append((number, name, folder, owner))
                known = self._by_folder.get(folder)
                if known is None or known[1] is None:
                    self._by_folder[folder] = (number, owner)
        return self._by_folder

    def _is_part(self, system: System) -> bool:
        """Whether a system foo/bar has the same folder as foo: one root is enough for both."""
        primary = self._systems.get(system.name.split("/")[0])
        return primary is not None and primary is not system and primary.folder == system.folder


def _sbcl_first(root: Root) -> bool:
    return root.name != _SBCL


def _real(path: str) -> str:
    """Resolve the symbolic links in ``path``: ASDF and the compiler may name a file differently."""
    return os.path.realpath(path)


def _folders_above(path: str) -> Iterator[str]:
    """The folders above ``path``, the nearest first, each with its final slash."""
    end = path.rfind("/")
    while end >= 0:
        yield path[: end + 1]
        end = path.rfind("/", 0, end)
