"""Databases that are indexes: they are read-only, and each request is answered from one build.

A build replaces the file of an index by rename. Datasette keeps one connection per thread and opens
them one by one, so some threads would still show the old file and others the new file. Here all
connections to a build are opened together, and a request keeps the build that it began with.
"""

from __future__ import annotations

import asyncio
import sqlite3
import weakref
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar
from urllib.parse import quote

from datasette.database import Database, Results
from datasette.utils.asgi import Base400

from oblist.indexer.format import APPLICATION_ID, FORMAT, read_file_header
from oblist.indexer.own_schema import MASTER, schema_difference

from ..asking import ANSWER_SECONDS
from ..errors import IndexDamagedError, QueryError
from ..index.reading import REBUILD, Reading
from ..processes.pool import IndexPool
from .page_index import PageIndex
from .sql import DESCRIPTIONS, DescriptionRow

_T = TypeVar("_T")
# No text or blob in an index is longer than this; without a limit, a short query could fill the memory.
_LONGEST_VALUE = 20_000_000
_LONGEST_PATTERN = 500
# Characters in all rows of a statement: the answer is made in memory, in several forms, before it is sent.
_MOST_ROWS = 4_000_000
_NO_FULL_TEXT = "vtable constructor failed"
_PAGE_THREADS, _STATEMENT_THREADS = 6, 2
_MOST_STATEMENTS = 16  # that run or wait; each may run for two seconds
_BEFORE_EACH_PAGE = "PRAGMA schema_version"  # which Datasette asks to see whether tables have changed
# The full-text tables, by the tables they search, each with the column that has the numbers of its rows.
FULL_TEXT = {
    "symbols": ("symbols_fts", "id"),
    "definitions": ("definitions_fts", "search_id"),
    "exported_names": ("exported_names_fts", "search_id"),
}

# The builds that answer the current request, by database name.
_builds: ContextVar[dict[str, _Build] | None] = ContextVar("oblist_builds", default=None)


class ReadOnlyError(QueryError):
    """Something tried to write to an index."""

    def __init__(self) -> None:
        super().__init__("An index is read-only; rebuild it with: oblist index")


class TooManyStatementsError(QueryError, Base400):  # type: ignore[misc] # Datasette has no types
    """More statements wait than are answered in a few seconds. Datasette logs no error of this kind."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            f"This server is answering {_MOST_STATEMENTS} SQL statements already. Ask again in a few seconds."
        )


class LargeAnswerError(QueryError, Base400):  # type: ignore[misc] # Datasette has no types
    """The rows of a statement are larger than an answer may be. Datasette logs no error of this kind."""

    status = 400

    def __init__(self) -> None:
        super().__init__(
            f"The rows have more than {_MOST_ROWS // 1_000_000} million characters. Select fewer rows or "
            "columns, or parts of long texts with substr()."
        )


class NullCharacterError(QueryError, Base400):  # type: ignore[misc] # Datasette has no types
    """A statement has a character that ends it for SQLite. Datasette logs no error of this kind."""

    status = 400

    def __init__(self) -> None:
        super().__init__("A statement of SQL, and the name of a column, cannot have the character NUL.")


class _CountingCursor(sqlite3.Cursor):
    """A cursor that knows how much has been fetched with it."""

    fetched = 0


class _Connection(sqlite3.Connection):
    """A connection whose statements fetch a bounded amount of text and bytes."""

    def cursor(self, factory: Any = _CountingCursor) -> Any:
        """A cursor that counts what it fetches."""
        return super().cursor(factory)


def _counted_row(cursor: sqlite3.Cursor, values: tuple[Any, ...]) -> sqlite3.Row:
    """The row as Datasette wants it. Raises LargeAnswerError once the rows are too large together."""
    if not isinstance(cursor, _CountingCursor):  # that of Connection.execute, for what we ask ourselves
        return sqlite3.Row(cursor, values)
    cursor.fetched += sum(len(value) for value in values if isinstance(value, str | bytes))
    if cursor.fetched > _MOST_ROWS:
        raise LargeAnswerError
    return sqlite3.Row(cursor, values)


class DamagedDatabaseError(IndexDamagedError, Base400):  # type: ignore[misc] # Datasette has no types
    """The file is no longer a readable index. Datasette logs no error of this kind."""

    status = 503


class _Build:
    """One build of an index: the connections to its file, and the descriptions in it."""

    def __init__(self, database: IndexDatabase, identity: tuple[int, int, int]) -> None:
        self.identity = identity
        connections: list[sqlite3.Connection] = []
        # Closed after the last request that this build answers.
        weakref.finalize(self, _close, connections)
        for _ in range(_PAGE_THREADS + _STATEMENT_THREADS):
            connections.append(database.connect())
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        try:
            if different := schema_difference(connections[0].execute(MASTER), "index"):
                raise DamagedDatabaseError(Path(database.path), f"{different}.", REBUILD)
            for connection in connections:
                # As Datasette prepares its own connections: rows by name, plugin functions, our limits.
                database.ds._prepare_connection(connection, database.name)
                connection.row_factory = _counted_row
                self._idle.put(connection)
            self.descriptions: dict[tuple[str, str], str] = {
                (row.table, row.column): row.text
                for row in map(DescriptionRow._make, connections[0].execute(DESCRIPTIONS))
            }
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            what = f"the file is damaged ({error})."
            raise DamagedDatabaseError(Path(database.path), what, REBUILD) from error

    @contextmanager
    def lent(self) -> Iterator[sqlite3.Connection]:
        """A connection for this thread alone."""
        connection = self._idle.get()
        try:
            yield connection
        finally:
            self._idle.put(connection)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether SQLite cannot read the file; any other error is about a statement."""
    code = error.sqlite_errorcode & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} or _NO_FULL_TEXT in str(error)


def _page_index(path: Path, roots: dict[str, str]) -> PageIndex:
    index = PageIndex(path, roots)
    index.limit(ANSWER_SECONDS)
    return index


def _close(connections: list[sqlite3.Connection]) -> None:
    for connection in connections:
        connection.close()


class IndexDatabase(Database):  # type: ignore[misc] # Datasette has no types
    """An index as a database of Datasette, and the pool of connections behind our pages."""

    def __init__(self, datasette: Any, path: str, roots: Mapping[str, str] | None = None) -> None:
        """``path`` is the file; ``roots`` maps source roots to their current folders, as in open_index."""
        super().__init__(datasette, path, is_mutable=True)
        self._build: _Build | None = None
        self.pages = IndexPool(lambda: _page_index(Path(path), dict(roots or {})))
        # Pages never wait for the statements that somebody types.
        self._page_threads = ThreadPoolExecutor(_PAGE_THREADS, "oblist pages")
        self._statement_threads = ThreadPoolExecutor(_STATEMENT_THREADS, "oblist statements")
        self._statements = 0

    def readings(self) -> Iterator[Reading]:
        """The index, open, as our pages read it."""
        with self.pages.lent() as index:
            yield index

    def connect(self, write: bool = False) -> sqlite3.Connection:
        """A new connection to the current file. Raises ReadOnlyError for ``write``."""
        if write:
            raise ReadOnlyError
        address = f"file:{quote(str(self.path))}?mode=ro&immutable=1"
        return sqlite3.connect(address, uri=True, check_same_thread=False, factory=_Connection)

    async def execute_write_fn(self, fn: object, block: bool = True) -> object:
        """Raise ReadOnlyError."""
        raise ReadOnlyError

    async def execute_fn(self, fn: Callable[[sqlite3.Connection], _T]) -> _T:
        """The result of ``fn``, called with a connection to the build that answers this request.

        It is called in one of the threads for statements. Raises TooManyStatementsError.
        """
        if self._statements >= _MOST_STATEMENTS:
            raise TooManyStatementsError
        self._statements += 1
        try:
            return await self._called(fn, self._statement_threads)
        finally:
            self._statements -= 1

    async def _called(self, fn: Callable[[sqlite3.Connection], _T], threads: ThreadPoolExecutor) -> _T:
        build = self._build_of_request()

        def ask() -> _T:
            try:
                with build.lent() as connection:
                    return fn(connection)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                what = f"the file is damaged ({error})."
                raise DamagedDatabaseError(Path(self.path), what, REBUILD) from error

        return await asyncio.get_running_loop().run_in_executor(threads, ask)

    async def execute(self, sql: str, params: Any = None, **options: Any) -> Any:
        """The rows of a statement. Its errors are shown on the page, and so are not logged.

        Raises NullCharacterError and LargeAnswerError.
        """
        if "\0" in sql:
            raise NullCharacterError
        if sql == _BEFORE_EACH_PAGE:
            rows = await self._called(lambda one: one.execute(sql).fetchall(), self._page_threads)
            return Results(rows, truncated=False, description=())
        return await super().execute(sql, params, **{**options, "log_sql_errors": False})

    async def in_thread(self, ask: Callable[[], _T]) -> _T:
        """The result of ``ask``, called in one of the threads for pages."""
        return await asyncio.get_running_loop().run_in_executor(self._page_threads, ask)

    async def fts_table(self, table: str) -> str | None:
        """The full-text table of a table; Datasette recognizes only those that sqlite-utils makes."""
        return FULL_TEXT[table][0] if table in FULL_TEXT else None

    @property
    def descriptions(self) -> dict[tuple[str, str], str]:
        """The descriptions by table and column; the description of a table itself has an empty column.

        Datasette asks for them on every page, so a missing or damaged file has none rather than an error.
        """
        try:
            return self._build_of_request().descriptions
        except (OSError, DamagedDatabaseError):
            return {}

    def close(self) -> None:
        """Close all connections that no request is using."""
        self._build = None
        for threads in (self._page_threads, self._statement_threads):
            threads.shutdown(wait=False, cancel_futures=True)
        self.pages.close()
        super().close()

    def _build_of_request(self) -> _Build:
        of_request = _builds.get()
        if of_request is None:
            return self._current_build()
        if self.name not in of_request:
            of_request[self.name] = self._current_build()
        return of_request[self.name]

    def _current_build(self) -> _Build:
        """The build in the current file, reopened until the file stays the same while it is being opened."""
        while self._build is None or self._build.identity != self._identity():
            identity = self._identity()
            opened = _Build(self, identity)
            if identity == self._identity():
                self._build = opened
        return self._build

    def _identity(self) -> tuple[int, int, int]:
        status = Path(self.path).stat()
        return status.st_dev, status.st_ino, status.st_mtime_ns


def one_build_for_each_request(app: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Wrap ``app``, an ASGI application, so that each request keeps the build it began with."""

    async def with_builds(scope: Any, receive: Any, send: Any) -> None:
        token = _builds.set({})
        try:
            await app(scope, receive, send)
        finally:
            _builds.reset(token)

    return with_builds


def is_index(path: str | None) -> bool:
    """Whether ``path`` is an index that this version of oblist can read."""
    try:
        header = read_file_header(Path(path)) if path else None
    except OSError:
        return False
    return header is not None and (header.application_id, header.user_version) == (APPLICATION_ID, FORMAT)


def index_files(datasette: Any) -> list[str]:
    """The names of the databases whose files are indexes, or were indexes when taken over."""
    databases = datasette.databases.items()
    return [name for name, one in databases if isinstance(one, IndexDatabase) or is_index(one.path)]


def indexes(datasette: Any) -> dict[str, IndexDatabase]:
    """The databases that were taken over, by their names."""
    databases = datasette.databases.items()
    return {name: database for name, database in databases if isinstance(database, IndexDatabase)}


def take_over(datasette: Any) -> None:
    """Replace every database that is an index with an IndexDatabase."""
    databases = datasette.databases.copy()
    for name in index_files(datasette):
        plain = databases[name]
        if not isinstance(plain, IndexDatabase):
            databases[name] = IndexDatabase(datasette, plain.path)
            databases[name].name, databases[name].route = plain.name, plain.route
    datasette.databases = databases


def restrict(connection: sqlite3.Connection) -> None:
    """Restrict a connection to reading its own file, and bound the size of values."""
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _LONGEST_PATTERN)
