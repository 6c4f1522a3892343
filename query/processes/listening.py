"""Servers that only this machine can reach: where they listen, and how they end."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from ..errors import ServingError
from .bounded_http import BoundedConnection, look_at_all
from .ending import ended_by_signals
from .limits import LOOK_SECONDS

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SHUTDOWN_SECONDS = 1
_TICKS = 10  # of Uvicorn in a second
_MOST_DIGITS = 5
_MOST_SHOWN = 80


def listening_socket(address: str) -> socket.socket:
    """A socket that listens at ``PORT`` or ``HOST:PORT``; port 0 means any free one. Raises ServingError.

    Only loopback addresses are accepted: anyone who reaches the server can read the index.
    """
    host, colon, port = address.rpartition(":")
    host = host.strip("[]") if colon else LOOPBACK[0]
    if host not in LOOPBACK:
        raise ServingError(
            f"The host in {address[:_MOST_SHOWN]} is not a loopback address. "
            f"Use one of: {', '.join(LOOPBACK)}."
        )
    if not port.isdecimal() or len(port) > _MOST_DIGITS or int(port) > 65535:
        raise ServingError(f"{address[:_MOST_SHOWN]} is not PORT or HOST:PORT, with a port of at most 65535.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, int(port)))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ServingError(f"Cannot listen on {host}:{port}: {error.strerror}.") from error
    return listener


class LocalServer(uvicorn.Server):
    """A Uvicorn server that logs only errors, drops slow clients, and ends quietly on a signal."""

    def __init__(self, app: Callable[..., Any], ready: Callable[[], None]) -> None:
        """``ready`` is called once requests are answered and signals are handled."""
        super().__init__(
            uvicorn.Config(
                app,
                http=BoundedConnection,
                log_level="error",
                access_log=False,
                timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
                log_config=None,
                server_header=False,
            )
        )
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start answering requests."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Cut off open event streams, which would never end, without logging that."""
        for name in ("uvicorn.error", "mcp"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Drop the clients that are late; return whether the server has to end."""
        if counter % int(_TICKS * LOOK_SECONDS) == 0:
            look_at_all(list(self.server_state.connections))
        return await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End the server on SIGINT and SIGTERM."""
        with ended_by_signals(self._end):
            yield

    def _end(self) -> None:
        self.should_exit = True
