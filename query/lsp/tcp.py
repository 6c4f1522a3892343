"""Serving editors over TCP on this machine, at limits that keep one client from costing the others much."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator

from ..processes import limits
from ..processes.ending import ended_by_signals
from ..processes.limits import UnreadAnswers, drop_the_slowest
from .messages import MOST_HEADER, LargeBodies, bodies
from .server import Connection
from .serving import Connect, session

MOST_CLIENTS = 64
"""The most clients at a time; another one takes the place of one that has not begun, or is refused."""
_LAST_SECONDS = 1.0
_BUSY = -32000  # of the codes that JSON-RPC leaves to servers


async def serve_tcp(connect: Connect, listener: socket.socket) -> int:
    """Serve clients until a signal arrives; the end of one does not concern the others."""
    served = _Served(connect)
    server = await asyncio.start_server(served.serve, sock=listener, limit=MOST_HEADER)
    with ended_by_signals(served.ended.set):
        looking = asyncio.ensure_future(served.look())
        await served.ended.wait()
        server.close()
        looking.cancel()
        await served.rest()
    return 0


class TcpClient:
    """What a client is sent, and what it is still expected to do."""

    def __init__(self, clients: set[TcpClient], writer: asyncio.StreamWriter, connection: Connection) -> None:
        """``clients`` are all of the server."""
        self._clients = clients
        self._writer = writer
        self._connection = connection
        self._transport = writer.transport
        self.unread = UnreadAnswers(self._transport)
        """What waits for the client."""
        self.since = time.monotonic()

    @property
    def has_begun(self) -> bool:
        """Whether the client has sent an initialize."""
        return self._connection.protocol.is_begun

    def write(self, data: bytes) -> None:
        """Send a message; if too much waits for all clients together, the slowest are dropped."""
        if self._transport.is_closing():
            return
        self._writer.write(data)
        self.unread.written(len(data))
        if self.unread.now:
            self.unread.begin()
            drop_the_slowest(self._clients)

    def close(self) -> None:
        """End the connection once all is sent."""
        self._writer.close()

    def drop(self) -> None:
        """End the connection now, whatever is left to be sent or read."""
        self._clients.discard(self)
        self._transport.abort()

    def look(self) -> None:
        """Drop the client if it takes too long to read, or to begin."""
        late = not self.has_begun and time.monotonic() - self.since > limits.REQUEST_SECONDS
        if self.unread.look() or late:
            self.drop()

    async def messages(self, reader: asyncio.StreamReader, large: LargeBodies) -> AsyncIterator[bytes]:
        """Yield the messages of the client, each once the answers before it are mostly read."""
        async for body in bodies(reader, limits.REQUEST_SECONDS, large):
            yield body
            await self._writer.drain()


class _Served:
    """The clients of a server."""

    def __init__(self, connect: Connect) -> None:
        self.ended = asyncio.Event()
        self._connect = connect
        self._clients: set[TcpClient] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._large = LargeBodies()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client to its end if there is room for it, or can be made; refuse it otherwise."""
        if not self._made_room():
            writer.write(_refusal())
            writer.close()
            return
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        connection = self._connect()
        client = TcpClient(self._clients, writer, connection)
        self._clients.add(client)
        try:
            await session(connection, client.messages(reader, self._large), client, self.ended)
        finally:
            self._tasks.discard(task)
            self._clients.discard(client)
            client.close()

    def _made_room(self) -> bool:
        if len(self._clients) < MOST_CLIENTS:
            return True
        silent = [one for one in self._clients if not one.has_begun]
        if silent:
            min(silent, key=lambda one: one.since).drop()
        return bool(silent)

    async def look(self) -> None:
        """Drop the clients that are late, now and then."""
        while True:
            await asyncio.sleep(limits.LOOK_SECONDS)
            for client in list(self._clients):
                client.look()

    async def rest(self) -> None:
        """Wait until all clients know that the server has ended, but not for long."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_LAST_SECONDS)


def _refusal() -> bytes:
    error = {"code": _BUSY, "message": limits.FULL}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
