"""The engine that writes a file which is not published yet."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import NullPool

from .rows import UNPUBLISHED


def engine_writing(path: Path, pragmas: Iterable[str] = ()) -> Engine:
    """An engine for the file ``path``, whose connections run ``pragmas`` first.

    It raises the errors of the driver, sqlite3, as they are.
    """
    # A path in a URL may have characters that mean something there, such as a question mark.
    engine = create_engine(URL.create("sqlite", database=str(path)), poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _: object) -> None:
        try:
            for pragma in [*pragmas, *UNPUBLISHED]:
                connection.execute(pragma)
        except BaseException:
            connection.close()  # the engine does not
            raise

    @event.listens_for(engine, "handle_error")
    def _unwrap(context: ExceptionContext) -> None:
        raise context.original_exception

    return engine
