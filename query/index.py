"""Open an index read-only, notice when it was replaced, and ask it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

from indexer.format import APPLICATION_ID, FEATURE, FORMAT, index_to_read, read_file_header
from indexer.names import CaseFolding

from . import sql
from .answers import AproposAnswer, DescribeAnswer, IndexInformation, NotFound
from .errors import IndexDamagedError, IndexMissingError, IndexVersionError

_REBUILD = "Build it anew with: oblist index"
_PRAGMAS = ("PRAGMA query_only = ON", "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON")


def open_index(path: str | os.PathLike[str] | None = None) -> Index:
    """Open the index at ``path``, or the default one (see DESIGN: --index, OBLIST_INDEX, ...).

    Raises IndexMissingError, IndexDamagedError or IndexVersionError; each names the file, what
    was expected and what to do.
    """
    return Index(index_to_read(os.fspath(path) if path is not None else None))


class Index:
    """An index that answers questions. One thread at a time may ask.

    A file that was replaced by a new build is noticed at the next question; every answer comes
    from one build alone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int, int] | None = None
        self._facts: dict[str, str] = {}
        self._folding = CaseFolding("", "")
        self._package_names: dict[int, str] | None = None
        self._package_numbers: dict[str, int] | None = None
        self.reopen_if_replaced()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a later question opens it again."""
        if self._connection is not None:
            self._connection.close()
        self._connection = self._identity = None

    # Questions

    def apropos(
        self,
        pattern: str,
        package: str | None = None,
        type: str | None = None,  # noqa: A002 - the contract's word
        *,
        scope: str = "accessible",
        limit: int = 0,
        offset: int = 0,
    ) -> AproposAnswer | NotFound:
        """The symbols whose names contain ``pattern``, by CHAR-EQUAL.

        ``package`` asks for the symbols accessible in it (``scope``: accessible, present or
        external); without one, for the external symbols of all packages. ``type`` is one of
        function, macro, variable, class, generic-function. ``limit`` 0 means all.
        """
        from .apropos import apropos

        self.reopen_if_replaced()
        return apropos(self, pattern, package, type, scope=scope, limit=limit, offset=offset)

    def describe(self, name: str, package: str = "CL-USER") -> DescribeAnswer | NotFound:
        """What ``name`` is, looked up as ``find-symbol`` would in ``package``."""
        from .describe import describe

        self.reopen_if_replaced()
        return describe(self, name, package)

    def information(self) -> IndexInformation:
        """What the index holds, and when and from what it was built."""
        self.reopen_if_replaced()
        facts = self.facts
        (packages, symbols, definitions, references, problems) = self.rows(sql.COUNTS)[0]
        feature = int(facts["feature"])
        return IndexInformation(
            path=str(self.path),
            size=self.path.stat().st_size,
            format=int(facts["format"]),
            feature=feature,
            rebuild_advised=feature < FEATURE,
            oblist=facts["oblist"],
            sbcl=facts["sbcl"],
            machine=facts["machine"],
            features=facts["features"].split(),
            systems=facts["systems"].split(),
            built=facts["built"],
            command=facts["command"],
            packages=packages,
            symbols=symbols,
            definitions=definitions,
            references=references,
            problems=problems,
        )

    # What the questions are answered with

    def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """All rows of ``statement``; raises IndexDamagedError when SQLite cannot read them."""
        assert self._connection is not None, "reopen_if_replaced comes first"
        try:
            return self._connection.execute(statement, values).fetchall()
        except UnicodeEncodeError:
            return []  # a lone surrogate: UTF-8 cannot hold it, so no name or text in the index has it
        except sqlite3.DatabaseError as error:
            raise IndexDamagedError(self.path, f"it is damaged ({error}).", _REBUILD) from error

    @property
    def facts(self) -> dict[str, str]:
        """The rows of meta."""
        return self._facts

    def upcase(self, text: str) -> str:
        """``text`` upcased as the indexed SBCL's reader does."""
        return self._folding.upcase(text)

    def fold(self, text: str) -> str:
        """``text`` folded as the indexed SBCL's CHAR-EQUAL does."""
        return self._folding.fold(text)

    @property
    def package_names(self) -> dict[int, str]:
        """All packages' names by their numbers."""
        if self._package_names is None:
            self._package_names = dict(self.rows(sql.ALL_PACKAGES))
        return self._package_names

    @property
    def package_numbers(self) -> dict[str, int]:
        """All packages' numbers by their names and global nicknames."""
        if self._package_numbers is None:
            self._package_numbers = dict(self.rows(sql.PACKAGE_NUMBERS))
        return self._package_numbers

    def reopen_if_replaced(self) -> None:
        """Open the file, anew if another build took its place since."""
        try:
            status = self.path.stat()
        except OSError as error:
            raise self._unreadable(error) from error
        identity = (status.st_dev, status.st_ino, status.st_mtime_ns)
        if identity != self._identity:
            self.close()
            self._open()
            self._identity = identity

    def _unreadable(self, error: OSError) -> IndexMissingError | IndexDamagedError:
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            return IndexMissingError(self.path, "there is no index.", "Build one with: oblist index")
        return IndexDamagedError(
            self.path,
            f"it cannot be read ({error.strerror}).",
            "Make it readable, or name another with --index.",
        )

    def _open(self) -> None:
        self._check_file()
        address = f"file:{quote(str(self.path))}?mode=ro&immutable=1"
        self._package_names = self._package_numbers = None
        try:
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            for pragma in _PRAGMAS:
                self._connection.execute(pragma)
            self._facts = dict(self._connection.execute(sql.META).fetchall())
        except sqlite3.DatabaseError as error:
            raise IndexDamagedError(self.path, f"it is damaged ({error}).", _REBUILD) from error
        if "complete" not in self._facts:
            raise IndexDamagedError(self.path, "its build did not end.", _REBUILD)
        case = [self._facts[name] for name in ("case_upper", "case_lower", "case_title", "case_title_upper")]
        self._folding = CaseFolding(*case)

    def _check_file(self) -> None:
        try:
            header = read_file_header(self.path)
        except OSError as error:
            raise self._unreadable(error) from error
        if header is None:
            size = self.path.stat().st_size
            what = "it is empty." if size == 0 else "it is no SQLite file, so no oblist index."
            raise IndexDamagedError(self.path, what, _REBUILD)
        if header.application_id != APPLICATION_ID:
            raise IndexVersionError(
                self.path,
                "it is an SQLite database, but not an oblist index.",
                "Name an index with --index, or build one with: oblist index",
            )
        if header.user_version != FORMAT:
            raise IndexVersionError(
                self.path,
                f"it has format {header.user_version}, this oblist reads format {FORMAT}.",
                _REBUILD
                if header.user_version < FORMAT
                else "Install a newer oblist, or build it anew with: oblist index",
            )
        if header.actual_bytes < header.expected_bytes:
            raise IndexDamagedError(
                self.path,
                f"it is truncated ({header.actual_bytes} of {header.expected_bytes} bytes).",
                _REBUILD,
            )
