"""Serving a client: the one on standard input and output, and what all clients have in common."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import BinaryIO, Protocol

from ..processes.ending import ended_by_signals
from ..processes.streams import can_be_watched, private_streams, watched_reader, watched_writer
from .messages import MOST_BODY, MOST_HEADER, FramingError, bodies
from .server import Connection

Connect = Callable[[], Connection]


class MessageSink(Protocol):
    """The receiver of the messages of a server to its client."""

    def write(self, data: bytes) -> None:
        """Send a message."""

    def close(self) -> None:
        """Nothing more will be sent."""


_logger = logging.getLogger("oblist")


async def serve_stdio(connect: Connect) -> int:
    """Serve one client until it ends, its input ends, or a signal arrives; return the exit code."""
    with private_streams() as (incoming, outgoing):
        writer = await watched_writer(outgoing) if can_be_watched(outgoing) else _Plain(outgoing)
        ended = asyncio.Event()
        with ended_by_signals(ended.set):
            return await session(connect(), bodies(await _reader(incoming)), writer, ended)


async def session(
    connection: Connection, messages: AsyncIterator[bytes], writer: MessageSink, ended: asyncio.Event
) -> int:
    """Serve one client to its end, which may be ``ended``; return the exit code that it asked for."""
    protocol = connection.protocol
    code: list[int] = []
    gone = asyncio.Event()

    def leave(asked: int) -> None:
        code.append(asked)
        gone.set()

    protocol.on_exit = leave
    protocol.set_writer(writer)
    taking = asyncio.ensure_future(_take_all(connection, messages))
    waits = [asyncio.ensure_future(event.wait()) for event in (ended, gone)]
    try:
        await asyncio.wait([taking, *waits], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (taking, *waits):
            task.cancel()
        with suppress(asyncio.CancelledError, ConnectionError):
            code += await taking
        connection.close()
    return code[0] if code else 0


async def _take_all(connection: Connection, messages: AsyncIterator[bytes]) -> list[int]:
    """Take messages until the input ends; return the exit code if it had to be given up."""
    try:
        async for body in messages:
            connection.protocol.take(body)
            await asyncio.sleep(0)  # a turn for other clients and signals, however much is there to be read
    except FramingError as error:
        _logger.error("%s The connection is closed.", error)
        return [1]
    return []


# Standard input and output


class _Plain:
    """An output that the event loop cannot wait for, such as a file."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        """Write to the stream."""
        self._stream.write(data)

    def close(self) -> None:
        """Leave the stream open: its owner closes it."""


async def _reader(stream: BinaryIO) -> asyncio.StreamReader:
    if can_be_watched(stream):
        return await watched_reader(stream, MOST_HEADER)
    reader = asyncio.StreamReader(limit=MOST_HEADER)
    reader.feed_data(stream.read(MOST_BODY))  # a device may have no end
    reader.feed_eof()
    return reader
