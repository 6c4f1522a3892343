"""``oblist browse``: serves the pages of one index, read-only, to this machine only."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from datasette.app import Datasette

from ..processes.listening import LocalServer
from ..processes.local_requests import AsgiApp, only_local, refuse
from .database import IndexDatabase

# The name is the same for every file, so that URLs stay valid when another index is browsed.
NAME = "oblist"
_SETTINGS = {
    "allow_download": False,
    "default_allow_sql": True,
    "sql_time_limit_ms": 2000,
    "facet_time_limit_ms": 500,
    "suggest_facets": False,  # suggesting facets takes three times as long as showing the table
    "max_returned_rows": 2000,
    "default_cache_ttl": 0,  # a rebuilt index must show at once
    "template_debug": False,
    "trace_debug": False,
}
_READING = ("GET", "HEAD")
# Datasette's own pages have inline scripts; nothing may be loaded from, or sent to, another host.
_HEADERS = {
    "content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}


def browsing_app(path: Path, roots: Mapping[str, str] | None = None) -> tuple[Any, AsgiApp]:
    """A Datasette instance that has only the index at ``path``, and the application that guards it.

    ``roots`` maps source roots to their current folders, as in open_index.
    """
    from datasette import handle_exception  # a plugin of Datasette, which skips it if it is imported first

    # With rich, Datasette prints pages of local variables for every mistyped statement.
    handle_exception.rich = None
    instance = Datasette([], settings=_SETTINGS)
    instance.remove_database("_memory")
    instance.add_database(IndexDatabase(instance, str(path), roots), name=NAME)
    return instance, only_local(reading_only(instance.app()))


def reading_only(app: AsgiApp) -> AsgiApp:
    """Wrap ``app`` to refuse requests that write, and to say what its pages may load."""

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        if scope["method"] not in _READING:
            await refuse(send, 405, "The index is read-only: use GET or HEAD.\n")
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                there = {name.lower() for name, _ in headers}
                added = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
                message = {**message, "headers": headers + [pair for pair in added if pair[0] not in there]}
            await send(message)

        await app(scope, receive, send_with_headers)

    return guard


def serve(
    path: Path, listener: socket.socket, ready: Callable[[], None], roots: Mapping[str, str] | None = None
) -> None:
    """Serve the index at ``path`` on ``listener`` until SIGINT or SIGTERM.

    ``ready`` is called once requests are answered.
    """
    instance, app = browsing_app(path, roots)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)

    async def run() -> None:
        # Datasette would do this during the first request, and fail requests that arrive meanwhile.
        await instance.invoke_startup()
        await instance.refresh_schemas()
        await LocalServer(app, ready).serve(sockets=[listener])

    with closing(listener):
        asyncio.run(run())
    for database in instance.databases.values():
        database.close()
