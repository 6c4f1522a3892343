"""MCP over standard input and output: the pipes themselves, watched by the event loop.

The SDK's own transport passes each message through three threads, which takes longer than most of our
answers. This one also answers malformed messages, accepts batches (revision 2025-03-26), and lets pending
requests finish when the input ends.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import suppress
from typing import Any, BinaryIO

import anyio
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import CONNECTION_CLOSED, ErrorData, JSONRPCError, JSONRPCRequest, JSONRPCResponse
from mcp_types.jsonrpc import INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter
from pydantic import ValidationError

from ..processes.ending import ended_by_signals
from ..processes.streams import can_be_watched, private_streams, watched_reader
from ..tools.results import storable
from .writer import Closing, MessageWriter, cancelled_by

MOST_MESSAGE_BYTES = 4 * 1024 * 1024  # the same limit as over HTTP
_TOO_LONG = f"The message is longer than {MOST_MESSAGE_BYTES} bytes"
_LONE_SURROGATE = "The id and the method must not contain a lone surrogate, which UTF-8 cannot encode"


async def serve_stdio(server: Server[Any]) -> None:
    """Serve until the input ends, the reader of the output is gone, or SIGINT or SIGTERM arrives."""
    scope = anyio.CancelScope()
    with private_streams() as (incoming, outgoing), scope, ended_by_signals(scope.cancel):
        writer = await MessageWriter.to(outgoing, scope.cancel)
        reader = _Reader(await _lines_of(incoming), writer)
        await server.run(reader, writer, server.create_initialization_options())


class _Lines:
    """The lines of a stream, None at its end; a line that is too long is cut just beyond the limit."""

    def __init__(self, stream: BinaryIO | None, watched: asyncio.StreamReader | None) -> None:
        self._stream = stream
        self._watched = watched

    async def line(self) -> bytes | None:
        """The next line."""
        if self._watched is None:
            assert self._stream is not None
            await anyio.lowlevel.checkpoint()
            line = self._stream.readline()
            return line[: MOST_MESSAGE_BYTES + 1] or None
        too_long = False
        while True:
            try:
                line = await self._watched.readuntil(b"\n")
            except asyncio.IncompleteReadError as error:
                line = error.partial
            except asyncio.LimitOverrunError as error:
                too_long = True
                await self._watched.readexactly(max(error.consumed, 1))
                continue
            if too_long and line:
                return b" " * (MOST_MESSAGE_BYTES + 1)
            return line or None


async def _lines_of(stream: BinaryIO) -> _Lines:
    if not can_be_watched(stream):
        return _Lines(stream, None)
    return _Lines(None, await watched_reader(stream, MOST_MESSAGE_BYTES))


class _Reader(Closing):
    """Reads messages, and sends an error for each line that is not a message."""

    def __init__(self, lines: _Lines, writer: MessageWriter) -> None:
        self._lines = lines
        self._writer = writer
        self._waiting: deque[SessionMessage] = deque()  # the rest of a batch

    def __aiter__(self) -> _Reader:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def receive(self) -> SessionMessage:
        """The next message. Raises anyio.EndOfStream when there are no more."""
        await self._writer.room()
        while not self._waiting:
            line = await self._lines.line()
            if line is None:
                return await self._after_the_end()
            if len(line) > MOST_MESSAGE_BYTES:
                await self._refuse(INVALID_REQUEST, _TOO_LONG, None)
            elif line.strip():
                await self._take(line)
        message = self._waiting.popleft()
        if isinstance(message.message, JSONRPCRequest):
            self._writer.began(message.message.id)
        elif isinstance(message.message, JSONRPCResponse | JSONRPCError):
            self._writer.answered(message.message.id)
        elif (cancelled := cancelled_by(message.message)) is not None:
            self._writer.ended(cancelled)  # a cancelled request gets no answer
        return message

    async def _after_the_end(self) -> SessionMessage:
        """Fail each question that the client can no longer answer; then the stream ends."""
        asked = await self._writer.next_unanswered()
        if asked is None:
            raise anyio.EndOfStream
        self._writer.answered(asked)
        failure = ErrorData(code=CONNECTION_CLOSED, message="The input has ended")
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=asked, error=failure))

    async def _take(self, line: bytes) -> None:
        """Queue the message in ``line``, or the messages of a batch."""
        with suppress(ValidationError):
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            self._waiting.append(SessionMessage(message))
            return
        try:
            # The json module is laxer: it accepts lone surrogates, so that such messages get an answer.
            values = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            await self._refuse(PARSE_ERROR, "The line is not JSON", None)
            return
        for value in values if isinstance(values, list) and values else [values]:
            try:
                message = jsonrpc_message_adapter.validate_python(value, by_name=False)
            except (ValidationError, RecursionError):
                await self._refuse(
                    INVALID_REQUEST, "The line is not a JSON-RPC 2.0 message", _identity(value)
                )
                continue
            if _is_sendable(message):
                self._waiting.append(SessionMessage(message))
            else:
                await self._refuse(INVALID_REQUEST, _LONE_SURROGATE, _identity(value))

    async def _refuse(self, code: int, why: str, identity: object) -> None:
        known = identity if isinstance(identity, str | int) and not isinstance(identity, bool) else None
        error = {"jsonrpc": "2.0", "id": known, "error": {"code": code, "message": why}}
        await self._writer.write(json.dumps(error).encode())


def _identity(value: object) -> object:
    return value.get("id") if isinstance(value, dict) else None


def _is_sendable(message: object) -> bool:
    """Whether UTF-8 can encode the id and the method, which come back in answers."""
    words = (getattr(message, name, None) for name in ("id", "method"))
    return all(storable(word) == word for word in words if isinstance(word, str))
