"""MCP over streamable HTTP, for this machine only: checks Host and Origin, and may require a token."""

from __future__ import annotations

import hmac
import logging
import os
import shlex
import socket
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ..errors import ServingError
from ..processes.listening import LocalServer
from ..processes.local_requests import AsgiApp, only_local
from .sessions import MOST_SESSIONS, BoundedSessions

PATH = "/mcp"
_LEAST_TOKEN = 16
_MOST_BODY = 1024 * 1024


def read_token(path: Path) -> str:
    """The token in the file at ``path``. Raises ServingError if others can read it or it is too short."""
    make = f"Make one with: (umask 077; openssl rand -hex 32 > {shlex.quote(str(path))})"
    try:
        status = path.stat()
        token = path.read_bytes().decode("ascii", "replace").strip()
    except OSError as error:
        raise ServingError(f"The token file {path} cannot be read: {error.strerror}. {make}") from error
    if status.st_uid != os.getuid():
        raise ServingError(f"The token file {path} belongs to another user, who can read it. {make}")
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise ServingError(
            f"The token file {path} can be read by others. Run: chmod 600 {shlex.quote(str(path))}"
        )
    if len(token) < _LEAST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise ServingError(
            f"The token in {path} must be one word of at least {_LEAST_TOKEN} characters. {make}"
        )
    return token


def address_of(listener: socket.socket) -> str:
    """The URL of a listening socket, for clients."""
    host, port, *_ = listener.getsockname()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}"


async def serve_http(
    server: Server[Any], listener: socket.socket, token: str | None, ready: Callable[[], None]
) -> None:
    """Serve at ``listener`` until SIGINT or SIGTERM; with ``token``, serve only clients that send it.

    ``ready`` is called once requests are answered and signals are handled.
    """
    # The library logs each request that it refuses, with text from the sender.
    logging.getLogger("mcp").setLevel(logging.ERROR)
    with closing(listener):
        await LocalServer(serving_app(server, token), ready).serve(sockets=[listener])


def serving_app(server: Server[Any], token: str | None) -> AsgiApp:
    """The application that serves local clients, with ``token`` only those that send it."""
    # The library's own check takes a header that only begins as one that it allows.
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app: ASGIApp = BoundedSessions(
        server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=_MOST_BODY,
            max_sessions=MOST_SESSIONS,
            transport_security=unchecked,
        )
    )
    if token is not None:
        app = _Guarded(app, token)
    return only_local(app)


class _Guarded:
    """Passes on only requests that carry the bearer token (RFC 6750)."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = Headers(scope=scope).get("authorization", "").encode("latin-1", "replace")
            if not hmac.compare_digest(given, self._expected):
                refusal = PlainTextResponse(
                    "This server requires its token, in the header Authorization: Bearer TOKEN\n",
                    status_code=401,
                    headers={"WWW-Authenticate": "Bearer"},
                )
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)
