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

from . import limits
from .limits import UnreadAnswers, drop_the_slowest
from .local_requests import RETRY_SECONDS

_REFUSAL = f"{limits.FULL}\n".encode()
_REFUSED = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Retry-After: %d\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
) % (RETRY_SECONDS, len(_REFUSAL), _REFUSAL)


class BoundedConnection(H11Protocol):
    """A connection that knows how long its client has been awaited."""

    _awaited_since: float | None = None
    unread: UnreadAnswers
    """What waits for the client."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Serve the client if there is room for it, or can be made; refuse it otherwise."""
        others = _bounded(self.connections)
        super().connection_made(transport)
        self.unread = UnreadAnswers(transport)
        self._awaited_since = time.monotonic()
        if len(others) < limits.MOST_CONNECTIONS:
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
        return answered and not self.unread.now

    def pause_writing(self) -> None:
        """Stop sending, and make room if all clients together leave too much unread."""
        super().pause_writing()
        self.unread.begin()
        drop_the_slowest(_bounded(self.connections))

    def look(self) -> None:
        """Note what the client has done since the last look, and drop it if that is too little."""
        now, is_stuck = time.monotonic(), self.unread.look()
        awaited = not self.unread.now and (self.is_idle or self.conn.their_state is h11.SEND_BODY)
        if not awaited:
            self._awaited_since = None
        elif self._awaited_since is None:
            self._awaited_since = now
        late = self._awaited_since is not None and now - self._awaited_since > limits.REQUEST_SECONDS
        if late or is_stuck:
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
