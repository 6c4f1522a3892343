"""What servers keep for clients that are slow, silent or too many, whatever protocol they speak."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Protocol

MOST_CONNECTIONS = 256
"""The most connections of a server; another one takes the place of one that is idle, or is refused."""
MOST_UNREAD = 64 * 1024 * 1024
"""The most bytes that are kept for all clients together; above, those that wait longest are dropped."""
REQUEST_SECONDS = 20.0
"""How long a client may take to send a whole request, and may be connected without sending one."""
READING_SECONDS = 20.0
"""How long a client may take to read anything of an answer."""
LOOK_SECONDS = 0.5
"""How often a server looks at its clients."""
FULL = "This server has reached its limit of connections. Ask again in a few seconds."
"""What a client that is refused is told."""


class KeptFor(Protocol):
    """A connection whose client may leave answers unread."""

    @property
    def unread(self) -> UnreadAnswers:
        """What waits for the client."""

    def drop(self) -> None:
        """End the connection now, whatever is left to be sent or read."""


def drop_the_slowest(connections: Iterable[KeptFor]) -> None:
    """Drop clients, those first that wait longest, until all together leave no more than MOST_UNREAD."""
    behind = sorted(connections, key=lambda one: one.unread.stuck_seconds, reverse=True)
    kept = sum(one.unread.now for one in behind)
    for one in behind:
        if kept <= MOST_UNREAD:
            return
        kept -= one.unread.now
        one.drop()


class UnreadAnswers:
    """The bytes that wait for a client, and since when it has read none of them."""

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport
        self._seen = 0
        self._written = self._read = 0
        self._since = 0.0

    @property
    def now(self) -> int:
        """How many bytes wait now."""
        return self._transport.get_write_buffer_size()

    @property
    def stuck_seconds(self) -> float:
        """How long ago the client had last read anything, when it was last looked at."""
        return time.monotonic() - self._since if self._seen else 0.0

    def written(self, count: int) -> None:
        """Note this many more bytes, so that reading shows even if these take the place of what was read.

        Without such notes, a client is seen to read whenever less waits than before.
        """
        self._written += count

    def begin(self) -> None:
        """Note that more waits than the system takes over, unless that is known."""
        if not self._seen:
            self._seen, self._since = self.now, time.monotonic()
            self._read = self._written - self._seen

    def look(self) -> bool:
        """Note what the client has read since the last look; return whether it takes too long over it."""
        unread = self.now
        read = self._written - unread
        if not unread or not self._seen or read > self._read:
            self._since = time.monotonic()
        self._seen, self._read = unread, read
        return self.stuck_seconds > READING_SECONDS
