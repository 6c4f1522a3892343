"""Releases, and where they are: definition files, and the sources around them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import IndexerError
from ..inputs import Hashes, project_files

_VENDORED = frozenset(("ocicl", "quicklisp", "vendor", "vendored", "third-party", "third_party"))


class PlaceError(IndexerError):
    """A folder or system to catalog does not exist."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release before anything is read: the file that defines its systems.

    ``name`` is that of the file. ``root`` is the folder in which it was found; of systems with the same name,
    releases depend on the one in their own root.
    """

    name: str
    definition: Path
    root: Path | None

    @property
    def folder(self) -> Path:
        """The folder of its sources."""
        return self.definition.parent


def releases_below(folder: Path) -> list[Release]:
    """The releases in ``folder`` and below, by name and path; raises PlaceError.

    Hidden folders are left out, and those in which projects keep the code of others.
    """
    if not folder.is_dir():
        raise PlaceError(
            f"{folder} is not a folder. Name a folder that contains the sources of Lisp systems."
        )
    found = {}
    root = folder.resolve()
    for path, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name[0] != "." and name.lower() not in _VENDORED)
        for name in names:
            if name.endswith(".asd") and name[0] != ".":
                definition = Path(path, name).resolve()
                found[definition] = Release(definition.stem.lower(), definition, root)
    return sorted(found.values(), key=lambda one: (one.name, str(one.definition)))


def sent_folder(release: Release) -> Path:
    """The folder whose files are sent with a task: all that comes with the release.

    In a root with many releases that is its folder there, however deep the definition file is.
    """
    if release.root is None or release.folder == release.root:
        return release.folder
    return release.root / release.folder.relative_to(release.root).parts[0]


class Contents:
    """Hashes and sizes of the sources of releases."""

    def __init__(self) -> None:
        self._hashes = Hashes()
        self._folders: dict[Path, str] = {}
        self._bytes: dict[Path, int] = {}

    def of(self, release: Release, files: Iterable[str] = ()) -> str:
        """A hash of all Lisp files in the release's folder and below, and of its ``files`` elsewhere."""
        folder = release.folder
        if folder not in self._folders:
            inside = list(_lisp_files(folder))
            self._folders[folder] = self._hash(inside, folder)
            self._bytes[folder] = sum(map(_size, inside))
        outside = [Path(path) for path in files if not Path(path).is_relative_to(folder)]
        return self._folders[folder] + (self._hash(sorted(outside), Path("/")) if outside else "")

    def bytes_of(self, release: Release) -> int:
        """The size of all Lisp files in the release's folder and below."""
        self.of(release)
        return self._bytes[release.folder]

    def of_folder(self, folder: Path, files: Iterable[Path]) -> str:
        """A hash of all ``files`` in ``folder``."""
        return self._hash(files, folder)

    def _hash(self, files: Iterable[Path], folder: Path) -> str:
        digest = hashlib.sha256()
        for path in files:
            name = os.fsencode(os.path.relpath(path, folder))
            digest.update(name + b"\0" + self._hashes(str(path)).encode() + b"\n")
        return digest.hexdigest()[:32]


def _size(path: Path) -> int:
    """The bytes of a file; none for one that is gone, or a link to nothing, as Emacs locks a file."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _lisp_files(folder: Path) -> Iterator[Path]:
    yield from sorted(project_files([folder]))
