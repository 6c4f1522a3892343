"""Which index answers for a document: that of its workspace folder, else the default one."""

from __future__ import annotations

import os
from pathlib import Path

from oblist.indexer.format import index_to_read

from ...errors import IndexMissingError, IndexUnusableError
from .project import IndexedProject


class Projects:
    """The indexes of the workspace folders, each opened when it is first needed."""

    def __init__(self, explicit: Path | None) -> None:
        """``explicit`` is the index that the user named, which then answers for everything."""
        self._explicit = explicit
        self._folders: list[Path] = []
        self._open: dict[Path, IndexedProject] = {}

    @property
    def folders(self) -> list[Path]:
        """The workspace folders."""
        return list(self._folders)

    def set_folders(self, folders: list[Path]) -> None:
        """Answer for these workspace folders from now on."""
        self._folders = [Path(os.path.realpath(folder)) for folder in folders]

    def index_of(self, folder: Path | None) -> Path:
        """The index that answers for a folder, whether or not there is one yet."""
        if self._explicit is not None:
            return self._explicit
        return index_to_read(folder=folder) if folder is not None else index_to_read()

    def without_index(self) -> list[Path]:
        """The workspace folders for which there is no index at all."""
        return [folder for folder in self._folders if not self.index_of(folder).exists()]

    def of(self, path: str) -> IndexedProject:
        """The project that answers for the file at ``path``. Raises the error of an unusable index.

        Outside all folders, it is the project whose index has the file: people go from a project into a
        library.
        """
        real = os.path.realpath(path)
        folder = self._folder_of(real)
        if folder is None:
            for project in self._all():
                if project.file_at(real) is not None:
                    return project
            folder = self._folders[0] if self._folders else Path(real).parent
        return self._project(folder)

    def has(self, path: str) -> bool:
        """Whether a file is in a workspace folder, or below a root of an index that answers here.

        Raises the error of an unusable index, if that is the one that answers for the file.
        """
        real = os.path.realpath(path)
        if self._folder_of(real) is not None:
            return True
        return self.of(real).has_root_of(real) or any(one.has_root_of(real) for one in self._all())

    def _folder_of(self, path: str) -> Path | None:
        """The innermost folder that holds a file."""
        holding = [one for one in self._folders if path.startswith(f"{one}{os.sep}")]
        return max(holding, key=lambda one: len(str(one)), default=None)

    def all(self) -> list[IndexedProject]:
        """The projects of all folders, each index once. Raises the error of the first unusable index."""
        for folder in self._folders:
            self._project(folder)
        if not self._folders:
            self._project(None)
        return list(self._open.values())

    def opened(self) -> list[IndexedProject]:
        """The projects that have been asked."""
        return list(self._open.values())

    def _all(self) -> list[IndexedProject]:
        """The same without what cannot be opened."""
        for folder in self._folders:
            try:
                self._project(folder)
            except IndexUnusableError:
                continue
        return list(self._open.values())

    def _project(self, folder: Path | None) -> IndexedProject:
        index = self.index_of(folder)
        project = self._open.get(index)
        if project is None:
            project = self._open[index] = IndexedProject(index, folder)
        try:
            project.take_over()
        except IndexMissingError:
            self._open.pop(index).close()
            raise
        return project

    def close(self) -> None:
        """Close all indexes."""
        for project in self._open.values():
            project.close()
        self._open.clear()
