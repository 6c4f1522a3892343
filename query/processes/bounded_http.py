"""Connections over HTTP that cost the server little, whatever their clients do or leave undone.

Uvicorn waits without limit for a client that sends half a request or does not read its answer, and keeps all
that was written for it. Here a server has a limited number of connections, and looks at each of them now and
then: one that is late is dropped.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .local_requests import RETRY_SECONDS

MOST_CONNECTIONS = 256
"""The most connections of a server; another one takes the place of one that is idle, or is refused."""
MOST_UNREAD = 64 * 1024 * 1024
"""The most bytes that are kept for all clients together; above, those that wait longest are dropped."""
REQUEST_SECONDS = 20.0
"""How long a client may take to send a whole request, and may be connected without sending one."""
READING_SECONDS = 20.0
"""How long a client may take to read anything of an answer."""
_REFUSAL = b"This server has as many connections as it takes. Ask again in a few seconds.\n"
_REFUSED = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Retry-After: %d\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
) % (RETRY_SECONDS, len(_REFUSAL), _REFUSAL)


class BoundedConnection(H11Protocol):
    """A connection that knows since when its client is awaited."""

    _awaited_since: float | None = None
    _unread = 0
    _unread_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Serve the client if there is room for it, or can be made; refuse it otherwise."""
        others = _bounded(self.connections)
        super().connection_made(transport)
        self._awaited_since = time.monotonic()
        if len(others) < MOST_CONNECTIONS:
            return
        idle = [one for one in others if one.is_idle]
        if idle:
            min(idle, key=lambda one: one._awaited_since or 0.0).drop()
        else:
            transport.write(_REFUSED)
            transport.close()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered, and nothing is left to be read."""
        answered = self.cycle is None or self.cycle.response_complete
        return answered and not self.unread

    @property
    def unread(self) -> int:
        """How many bytes of answers wait for the client."""
        return self.transport.get_write_buffer_size()

    @property
    def stuck_seconds(self) -> float:
        """How long ago the client last read anything of what waits for it, when it was last looked at."""
        return time.monotonic() - self._unread_since if self._unread else 0.0

    def pause_writing(self) -> None:
        """Stop sending, and make room if all clients together leave too much unread."""
        super().pause_writing()
        if not self._unread:
            self._unread, self._unread_since = self.unread, time.monotonic()
        behind = sorted(_bounded(self.connections), key=lambda one: one.stuck_seconds, reverse=True)
        kept = sum(one.unread for one in behind)
        for one in behind:
            if kept <= MOST_UNREAD:
                return
            kept -= one.unread
            one.drop()

    def look(self) -> None:
        """Note what the client has done since the last look, and drop it if that is too little."""
        now, unread = time.monotonic(), self.unread
        if not unread or not self._unread or unread < self._unread:
            self._unread_since = now
        self._unread = unread
        awaited = not unread and (self.is_idle or self.conn.their_state is h11.SEND_BODY)
        if not awaited:
            self._awaited_since = None
        elif self._awaited_since is None:
            self._awaited_since = now
        late = self._awaited_since is not None and now - self._awaited_since > REQUEST_SECONDS
        if late or self.stuck_seconds > READING_SECONDS:
            self.drop()

    def drop(self) -> None:
        """End the connection now, whatever is left to be sent or read."""
        self.connections.discard(self)  # at once: more clients may come before the event loop goes on
        self.transport.abort()


def look_at_all(connections: Iterable[object]) -> None:
    """Drop the clients that are late."""
    for one in _bounded(connections):
        one.look()


def _bounded(connections: Iterable[object]) -> list[BoundedConnection]:
    return [one for one in connections if isinstance(one, BoundedConnection)]
