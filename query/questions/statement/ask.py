"""query: run the user's own SQL on an index, read-only.

Three locks, each sufficient alone: the file is open read-only and immutable (index/reading.py), SQLite's
authorizer permits only reading, and ``query_only`` is on. Time, rows and bytes are bounded.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from ...errors import IndexDamagedError, QueryError, StatementError
from ...index.reading import REBUILD, Reading
from . import sql
from .answer import QueryAnswer

# sqlite.org/c3ref/c_alter_table.html: the actions of a statement that only reads.
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
# sqlite.org/lang_corefunc.html, json1.html, lang_datefunc.html: all functions are allowed except for these,
# which access other files or exist for tests.
_NO_FUNCTIONS = {"load_extension", "fts3_tokenizer", "writefile", "readfile", "edit"}
_DENIED = {
    sqlite3.SQLITE_ATTACH: "ATTACH",
    sqlite3.SQLITE_DETACH: "DETACH",
    sqlite3.SQLITE_PRAGMA: "PRAGMA",
    sqlite3.SQLITE_TRANSACTION: "transactions",
    sqlite3.SQLITE_FUNCTION: "the function",
}
# Full-text tables use these to read their own options at first use.
_FTS_PRAGMAS = {"data_version"}
MOST_ROWS = 1_000_000  # even with limit 0: rows are held in memory
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR}
# What a statement ends with when a callback raises: the one that checks the clock, and the authorizer, which
# notes what it denies itself.
_INTERRUPTED = {sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_AUTH}
_STEPS = (
    100  # steps of SQLite's virtual machine between two checks of the clock: one step can make a whole value
)
_MOST_VALUE_BYTES = 10_000_000
_MOST_BYTES = 256_000_000  # size of all rows together, as text: they are held in memory
_VALUE_BYTES = 32  # size of a value that is neither text nor bytes
_CURE = "Select fewer rows (--limit), or less of each value (substr, length)."


class FreeSql:
    """A runner of the user's own statements on one index."""

    def __init__(self, index: Reading, seconds: float) -> None:
        """``seconds`` is the time limit of each statement."""
        self._index = index
        self._seconds = seconds
        self._refused: str | None = None
        self._deadline = 0.0

    def rows(self, statement: str, values: Mapping[str, Any], limit: int) -> QueryAnswer:
        """Return at most ``limit`` (0: MOST_ROWS) rows of ``statement`` with the parameters ``values``.

        Raises StatementError, whose text says what is wrong with the statement, or IndexUnusableError.
        """
        self._index.reopen_if_replaced()
        connection = self._index.connection
        self._refused = None
        self._deadline = time.monotonic() + self._seconds
        # At a virtual table's first use, SQLite declares it with an action that looks like a schema change.
        self._index.rows(sql.DECLARE_FULL_TEXT)
        connection.set_authorizer(self._authorize)
        connection.set_progress_handler(self._out_of_time, _STEPS)
        length = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)
        try:
            return self._ask(connection, statement, values, limit)
        except MemoryError as error:
            raise StatementError(f"there is not enough memory for its rows. {_CURE}") from error
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError, UnicodeError) as error:
            raise self._explained(error) from error
        finally:
            connection.set_authorizer(None)
            connection.set_progress_handler(None, 0)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, length)

    def _ask(
        self, connection: sqlite3.Connection, statement: str, values: Mapping[str, Any], limit: int
    ) -> QueryAnswer:
        cursor = connection.execute(statement, dict(values))
        if cursor.description is None:
            raise StatementError("it returns no rows; only SELECT, VALUES and WITH do.")
        columns = [str(column[0]) for column in cursor.description]
        most = min(limit, MOST_ROWS) if limit else MOST_ROWS
        rows: list[list[Any]] = []
        size = 0
        with closing(cursor):
            for row in cursor:
                if len(rows) == most:
                    return QueryAnswer(columns, rows, truncated=True)
                size += sum(map(_bytes, row))
                if size > _MOST_BYTES:
                    raise StatementError(f"its rows exceed {_MOST_BYTES // 1_000_000} MB. {_CURE}")
                if self._out_of_time():
                    raise self._late()
                rows.append([_plain(value) for value in row])
        return QueryAnswer(columns, rows, truncated=False)

    def _authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        """Tell SQLite whether ``action`` is allowed: only reading is."""
        if action in _READING:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION and str(second).lower() not in _NO_FUNCTIONS:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_PRAGMA and first in _FTS_PRAGMAS:
            return sqlite3.SQLITE_OK
        what = _DENIED.get(action, "this statement")
        self._refused = f"{what} {second}" if action == sqlite3.SQLITE_FUNCTION else what
        return sqlite3.SQLITE_DENY

    def _out_of_time(self) -> int:
        return int(time.monotonic() > self._deadline)

    def _explained(self, error: Exception) -> QueryError:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
            return IndexDamagedError(self._index.path, f"the file is damaged ({error}).", REBUILD)
        if self._refused is not None:
            return StatementError(f"an index is read-only and does not allow {self._refused}.")
        if time.monotonic() > self._deadline:
            return self._late()
        if getattr(error, "sqlite_errorcode", 0) in _INTERRUPTED and _in_main_thread():
            raise KeyboardInterrupt  # Ctrl-C came during one of our callbacks, where SQLite swallows it
        return StatementError(f"{str(error).rstrip('.')}.")

    def _late(self) -> StatementError:
        return StatementError(
            f"it took more than {self._seconds:g} s. Narrow it, or allow more time with --timeout."
        )


def _in_main_thread() -> bool:
    """Return whether this is the thread that Ctrl-C interrupts."""
    return threading.current_thread() is threading.main_thread()


def _bytes(value: Any) -> int:
    """Estimate the memory of a value in an answer, where each byte becomes two digits."""
    if isinstance(value, str):
        # Text that is not ASCII may take four bytes per character.
        return _VALUE_BYTES + len(value) * (1 if value.isascii() else 4)
    return _VALUE_BYTES + 2 * len(value) if isinstance(value, bytes) else _VALUE_BYTES


def _plain(value: Any) -> Any:
    """Return a value that JSON and CSV can represent."""
    return value.hex() if isinstance(value, bytes) else value
