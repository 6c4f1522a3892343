"""The index that pages query; data that every page needs is read once per build."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from ..api import Index
from ..index.meanings import IndexMeanings
from ..syntax.features import Features
from ..syntax.tokens import Tokens
from . import sql
from .sql import ListedFileRow

_T = TypeVar("_T")


class Code(NamedTuple):
    """What is needed to read and walk the text of sources."""

    tokens: Tokens
    features: Features
    meanings: IndexMeanings


class PageIndex(Index):
    """An index that looks up source files and the systems of packages in memory.

    Pages call the modules of the query layer, not the methods of Index: the methods look for a new build
    before each question, and a page must come from a single build.
    """

    _files: dict[int, ListedFileRow] | None = None
    _places: dict[tuple[str, str], int] | None = None
    _systems: dict[str, str] | None = None
    _made: dict[str, Any]

    @property
    def files(self) -> dict[int, ListedFileRow]:
        """All source files by number."""
        if self._files is None:
            self._files = {row[0]: ListedFileRow(*row) for row in self.rows(sql.SOURCE_FILES)}
        return self._files

    def file_at(self, root: str, path: str) -> ListedFileRow | None:
        """The source file at a path below a root; below the root ``-``, the path is the recorded name."""
        if self._places is None:
            self._places = {place_of(file): file.number for file in self.files.values()}
        number = self._places.get((root, path))
        return None if number is None else self.files[number]

    def file_named(self, root: str | None, relative_path: str | None, path: str | None) -> int | None:
        """The number of the source file that an answer names by its root or by its path on this machine."""
        if root is not None and relative_path is not None:
            found = self.file_at(root, relative_path)
            return found.number if found is not None else None
        if path is None:
            return None
        by_path: dict[str | None, int] = self.once(
            "files by path", lambda: {self.local_path(file.path): file.number for file in self.files.values()}
        )
        return by_path.get(path)

    @property
    def package_systems(self) -> dict[str, str]:
        """The system of each package, by package name."""
        if self._systems is None:
            self._systems = dict(self.rows(sql.PACKAGE_SYSTEMS))
        return self._systems

    @property
    def code(self) -> Code:
        """What is needed to read the text of sources; it keeps what it has looked up until the next build."""
        return self.once("code", self._read_code)

    def _read_code(self) -> Code:
        tokens = Tokens(self.upcase)
        return Code(tokens, Features(self.facts.get("features", ""), tokens), IndexMeanings(self))

    def once(self, what: str, make: Callable[[], _T]) -> _T:
        """The result of ``make``, computed once per build: for results that take long, or are kept."""
        if what not in self._made:
            self._made[what] = make()
        made: _T = self._made[what]
        return made

    def origin(self, file: int | None) -> str | None:
        """The system that a source file belongs to; ``sbcl`` for SBCL's own files."""
        if file is None:
            return None
        known = self.files[file]
        return known.system or known.root

    def _open(self) -> None:
        super()._open()
        self._files = self._places = self._systems = None
        self._made = {}


NO_ROOT = "-"


def place_of(file: ListedFileRow) -> tuple[str, str]:
    """The root and path in the URL of a file's page, which survive a rebuild of the index."""
    if file.root is not None and file.relative_path is not None:
        return file.root, file.relative_path
    return NO_ROOT, file.recorded
