"""The output of the MCP server on a pipe, and the requests that are still to be answered."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import BinaryIO, Self

from mcp.shared.dispatcher import as_request_id, coerce_request_id
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from mcp_types.jsonrpc import INTERNAL_ERROR

from ..processes.streams import can_be_watched, watched_writer

MOST_UNDER_WAY = 200
_LAST_ANSWERS_SECONDS = 30.0
_logger = logging.getLogger("oblist")


def cancelled_by(message: object) -> str | int | None:
    """The id of the request that a message cancels; None if it cancels none."""
    if not isinstance(message, JSONRPCNotification) or message.method != "notifications/cancelled":
        return None
    return as_request_id((message.params or {}).get("requestId"))


class Closing:
    """The context manager that the SDK expects both streams to be."""

    async def aclose(self) -> None:
        """Do nothing: the descriptors belong to the process."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        await self.aclose()
        return None


class MessageWriter(Closing):
    """Writes messages, one per line, and tracks the requests that either side still has to answer."""

    def __init__(
        self, stream: BinaryIO, watched: asyncio.StreamWriter | None, gone: Callable[[], None]
    ) -> None:
        self._stream = stream
        self._watched = watched
        self._gone = gone  # called when the reader is gone
        # Keyed by id as the SDK compares ids. A client may reuse an id while its request is pending.
        self._under_way: Counter[str | int] = Counter()
        self._asked: list[str | int] = []  # the requests that the client has to answer
        self._settled = asyncio.Event()
        self._room = asyncio.Event()
        self._settle()

    @classmethod
    async def to(cls, stream: BinaryIO, gone: Callable[[], None]) -> MessageWriter:
        """A writer to ``stream``."""
        if not can_be_watched(stream):
            return cls(stream, None, gone)
        return cls(stream, await watched_writer(stream), gone)

    async def send(self, item: SessionMessage) -> None:
        """Write a message."""
        message = item.message
        line = _line_of(message)
        if line is not None:
            await self.write(line)
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self.ended(message.id)
        elif isinstance(message, JSONRPCRequest):
            self._asked.append(message.id)
            self._settle()
        elif (cancelled := cancelled_by(message)) is not None:
            self.answered(cancelled)

    async def write(self, line: bytes) -> None:
        """Write a line; it is lost if the reader is gone."""
        try:
            if self._watched is None:
                self._stream.write(line + b"\n")
            else:
                self._watched.write(line + b"\n")
                await self._watched.drain()
        except (ConnectionError, BrokenPipeError):
            self._gone()

    def began(self, request: str | int) -> None:
        """Note a request that has to be answered."""
        self._under_way[coerce_request_id(request)] += 1
        self._settle()

    def ended(self, request: str | int | None) -> None:
        """Note that a request was answered, or will not be answered."""
        if request is not None:
            key = coerce_request_id(request)
            self._under_way[key] -= 1
            if self._under_way[key] <= 0:
                del self._under_way[key]
        self._settle()

    def answered(self, asked: str | int | None) -> None:
        """Note that the client has answered a question, or no longer has to answer it."""
        if asked in self._asked:
            self._asked.remove(asked)
        self._settle()

    def _settle(self) -> None:
        """Update whether waiting for running handlers is pointless, and whether there is room for more."""
        _set(self._settled, bool(self._asked) or not self._under_way)
        # Requests that wait for the client's answer do not count: that answer has to be read.
        _set(self._room, self._under_way.total() - len(self._asked) < MOST_UNDER_WAY)

    async def room(self) -> None:
        """Wait until there are few enough pending requests to read another."""
        await self._room.wait()

    async def next_unanswered(self) -> str | int | None:
        """The next question that a client left unanswered when it ended its input, once there is one.

        None once all pending requests are answered, or have taken too long.
        """
        with suppress(TimeoutError):
            await asyncio.wait_for(self._settled.wait(), _LAST_ANSWERS_SECONDS)
        return self._asked[0] if self._asked else None


def _set(event: asyncio.Event, holds: bool) -> None:
    if holds:
        event.set()
    else:
        event.clear()


def _line_of(message: JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError) -> bytes | None:
    """A message as a line; an answer that JSON or UTF-8 cannot encode becomes an error that says so.

    None for a notification that cannot be sent. Raises ValueError for a request, so that its sender knows.
    """
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except ValueError as error:
        if isinstance(message, JSONRPCRequest):
            raise
        _logger.error("a message could not be written: %s", type(error).__name__)
        if isinstance(message, JSONRPCNotification):
            return None
    failure = {"code": INTERNAL_ERROR, "message": "The answer cannot be written as JSON"}
    return json.dumps({"jsonrpc": "2.0", "id": message.id, "error": failure}).encode()
