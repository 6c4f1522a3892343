"""An index as pages ask it: with what all pages need of a build, read once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..api import Index
from . import sql
from .sql import SourceFileRow

_T = TypeVar("_T")


class PageIndex(Index):
    """An index, the source files and the systems of which are known by name.

    Pages ask the modules of the query layer, not the methods of Index: those look for a new build
    before each question, and a page is to be from one.
    """

    _files: dict[int, SourceFileRow] | None = None
    _places: dict[tuple[str, str], int] | None = None
    _systems: dict[str, str] | None = None
    _made: dict[str, Any]

    @property
    def files(self) -> dict[int, SourceFileRow]:
        """All source files by their numbers."""
        if self._files is None:
            self._files = {row[0]: SourceFileRow(*row) for row in self.rows(sql.SOURCE_FILES)}
        return self._files

    def file_at(self, root: str, path: str) -> SourceFileRow | None:
        """The source file at a path below a root; below the root ``-`` that of this recorded name."""
        if self._places is None:
            self._places = {place_of(file): file.number for file in self.files.values()}
        number = self._places.get((root, path))
        return None if number is None else self.files[number]

    @property
    def package_systems(self) -> dict[str, str]:
        """The systems of packages, by the packages' names."""
        if self._systems is None:
            self._systems = dict(self.rows(sql.PACKAGE_SYSTEMS))
        return self._systems

    def once(self, what: str, make: Callable[[], _T]) -> _T:
        """What ``make`` gives, made once for each build: for what takes a tenth of a second and more."""
        if what not in self._made:
            self._made[what] = make()
        made: _T = self._made[what]
        return made

    def origin(self, file: int | None) -> str | None:
        """The system that a source file is part of; ``sbcl`` for SBCL's own."""
        if file is None:
            return None
        known = self.files[file]
        return known.system or known.root

    def _open(self) -> None:
        super()._open()
        self._files = self._places = self._systems = None
        self._made = {}


NO_ROOT = "-"


def place_of(file: SourceFileRow) -> tuple[str, str]:
    """The root and path that a file's page is called by: they stay when the index is built anew."""
    if file.root is not None and file.relative_path is not None:
        return file.root, file.relative_path
    return NO_ROOT, file.recorded
