"""Serving clients: one on standard input and output, or several over TCP on this machine."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from ..processes.ending import ended_by_signals
from ..processes.streams import can_be_watched, private_streams, watched_reader, watched_writer
from .messages import MOST_BODY, MOST_HEADER, FramingError, bodies
from .server import Connection

Connect = Callable[[], Connection]
_logger = logging.getLogger("oblist")


async def serve_stdio(connect: Connect) -> int:
    """Serve one client until it ends, its input ends, or a signal arrives; return the exit code."""
    with private_streams() as (incoming, outgoing):
        writer = await watched_writer(outgoing) if can_be_watched(outgoing) else _Plain(outgoing)
        ended = asyncio.Event()
        with ended_by_signals(ended.set):
            return await _session(connect, await _reader(incoming), writer, ended)


async def serve_tcp(connect: Connect, listener: socket.socket) -> int:
    """Serve clients until a signal arrives; the end of one does not concern the others."""
    ended = asyncio.Event()
    connections: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        try:
            await _session(connect, reader, writer, ended)
        finally:
            connections.discard(task)
            writer.close()

    server = await asyncio.start_server(serve, sock=listener, limit=MOST_HEADER)
    with ended_by_signals(ended.set):
        await ended.wait()
        server.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
    return 0


async def _session(
    connect: Connect,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter | _Plain,
    ended: asyncio.Event,
) -> int:
    """Serve one client to its end; return the exit code that it asked for."""
    connection = connect()
    protocol = connection.protocol
    code: list[int] = []
    gone = asyncio.Event()

    def leave(asked: int) -> None:
        code.append(asked)
        gone.set()

    protocol.on_exit = leave
    protocol.set_writer(writer)
    messages = asyncio.ensure_future(_take_all(connection, reader))
    waits = [asyncio.ensure_future(event.wait()) for event in (ended, gone)]
    try:
        await asyncio.wait([messages, *waits], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (messages, *waits):
            task.cancel()
        with suppress(asyncio.CancelledError, ConnectionError):
            code += await messages
        connection.close()
    return code[0] if code else 0


async def _take_all(connection: Connection, reader: asyncio.StreamReader) -> list[int]:
    """Take messages until the input ends; return the exit code if it had to be given up."""
    try:
        async for body in bodies(reader):
            connection.protocol.take(body)
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
