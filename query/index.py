"""Open an index read-only, notice when it was replaced, and ask it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from indexer.format import APPLICATION_ID, FEATURE, FORMAT, index_to_read, read_file_header
from indexer.names import CaseFolding

from . import sql
from .answers import (
    AproposAnswer,
    DefinitionTextAnswer,
    DescribeAnswer,
    IndexInformation,
    NotFound,
    PackageAnswer,
    SearchAnswer,
    XrefAnswer,
    XrefTreeAnswer,
)
from .class_answers import ClassAnswer
from .errors import IndexDamagedError, IndexMissingError, IndexVersionError
from .roots import Roots, roots_from_environment

_REBUILD = "Build it anew with: oblist index"
_CASE_FACTS = ("case_upper", "case_lower", "case_title", "case_title_upper")
_PRAGMAS = ("PRAGMA query_only = ON", "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON")


def open_index(
    path: str | os.PathLike[str] | None = None, *, roots: Mapping[str, str | os.PathLike[str]] | None = None
) -> Index:
    """Open the index at ``path``, or the default one (see DESIGN: --index, OBLIST_INDEX, ...).

    ``roots`` says where roots lie on this machine, when not where the index was built; those that
    it does not name are looked up in OBLIST_ROOTS. Raises IndexMissingError, IndexDamagedError or
    IndexVersionError, each of which names the file, what was expected and what to do; RootsError.
    """
    moved = {name: os.fspath(folder) for name, folder in (roots or {}).items()}
    return Index(index_to_read(os.fspath(path) if path is not None else None), moved)


class Index:
    """An index that answers questions. One thread at a time may ask.

    A file that was replaced by a new build is noticed at the next question; every answer comes
    from one build alone.
    """

    def __init__(self, path: Path, moved_roots: dict[str, str] | None = None) -> None:
        self.path = path.absolute()
        self._moved_roots = moved_roots or {}
        self._roots: Roots | None = None
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int, int] | None = None
        self._facts: dict[str, str] = {}
        self._folding = CaseFolding("", "")
        self._package_names: dict[int, str] | None = None
        self._package_numbers: dict[str, int] | None = None
        self._methods_on: dict[str, list[int]] | None = None
        self.reopen_if_replaced()
        if self._moved_roots:
            self.local_path(None)  # a root that is not there is better said now than later

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

    def search(self, query: str, *, limit: int = 20, offset: int = 0) -> SearchAnswer | NotFound:
        """The symbols that the words of ``query`` lead to, the best first; ``limit`` 0 means all."""
        from .search import search

        self.reopen_if_replaced()
        return search(self, query, limit=limit, offset=offset)

    def package(self, name: str) -> PackageAnswer | NotFound:
        """What the package ``name`` offers, and whom it uses."""
        from .packages import describe_package

        self.reopen_if_replaced()
        return describe_package(self, name)

    def definition(
        self,
        name: str,
        package: str = "CL-USER",
        *,
        max_length: int = 10_000,
        package_details: bool = False,
    ) -> DefinitionTextAnswer | NotFound:
        """The text of all definitions of ``name``, cut at ``max_length`` characters (0: all).

        ``package_details`` adds the symbols that the text names, by package.
        """
        from .definition import definition

        self.reopen_if_replaced()
        return definition(self, name, package, max_length=max_length, package_details=package_details)

    def xref(
        self,
        name: str,
        package: str = "CL-USER",
        *,
        relation: str | None = None,
        callees: bool = False,
        limit: int = 200,
        offset: int = 0,
    ) -> XrefAnswer | NotFound:
        """Who uses ``name``; with ``callees``, what it uses.

        ``relation`` is one of calls, macroexpands, references, sets, binds, specializes; None asks
        for all. ``limit`` 0 means all.
        """
        from .xref import xref

        self.reopen_if_replaced()
        return xref(self, name, package, relation=relation, callees=callees, limit=limit, offset=offset)

    def xref_tree(
        self,
        name: str,
        package: str = "CL-USER",
        *,
        relation: str | None = None,
        callees: bool = False,
        depth: int = 2,
        limit: int = 20,
    ) -> XrefTreeAnswer | NotFound:
        """Who uses ``name``, who uses those, and so on, ``depth`` steps; or what it uses.

        ``limit`` is how many children of one node are shown (0: all); the whole is bounded too.
        """
        from .xref_tree import xref_tree

        self.reopen_if_replaced()
        return xref_tree(self, name, package, relation=relation, callees=callees, depth=depth, limit=limit)

    def class_(self, name: str, package: str = "CL-USER", *, limit: int = 0) -> ClassAnswer | NotFound:
        """What the class, structure or condition ``name`` is made of, and the methods on it.

        ``limit`` bounds the lists of subclasses and methods; 0 means all.
        """
        from .classes import describe_class

        self.reopen_if_replaced()
        return describe_class(self, name, package, limit)

    def information(self) -> IndexInformation:
        """What the index holds, and when and from what it was built."""
        self.reopen_if_replaced()
        facts = self.facts
        (packages, symbols, definitions, references, problems) = self.rows(sql.COUNTS)[0]
        feature = int(facts["feature"])
        systems = self.rows(sql.SYSTEMS)
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
            systems=[name for name, asked in systems if asked],
            dependencies=[name for name, asked in systems if not asked],
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

    def local_path(self, path: str | None) -> str | None:
        """Where the source file that the index has at ``path`` lies on this machine."""
        if self._roots is None:
            self._roots = Roots(dict(self.rows(sql.ROOTS)), self._moved_roots, roots_from_environment())
        return self._roots.path(path)

    def methods_on(self, class_name: str) -> list[int]:
        """The definitions of all methods with a specializer of that name, whatever its package."""
        if self._methods_on is None:
            from .caller import methods_by_class

            self._methods_on = methods_by_class(self.rows(sql.METHOD_SPECIALIZERS))
        return self._methods_on.get(class_name, [])

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
        self._package_names = self._package_numbers = self._methods_on = self._roots = None
        try:
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            for pragma in _PRAGMAS:
                self._connection.execute(pragma)
            self._facts = dict(self._connection.execute(sql.META).fetchall())
        except sqlite3.DatabaseError as error:
            raise IndexDamagedError(self.path, f"it is damaged ({error}).", _REBUILD) from error
        if "complete" not in self._facts:
            raise IndexDamagedError(self.path, "its build did not end.", _REBUILD)
        missing = [name for name in (*_CASE_FACTS, "feature", "format") if name not in self._facts]
        if missing:
            raise IndexDamagedError(self.path, f"it lacks the facts {', '.join(missing)}.", _REBUILD)
        self._folding = CaseFolding(*(self._facts[name] for name in _CASE_FACTS))

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
