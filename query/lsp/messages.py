"""Messages as they come from a client: bounded, taken apart, and refused if malformed."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from lsprotocol.types import ErrorCodes

from ..errors import QueryError

MOST_HEADER = 64 * 1024
"""The most bytes of the header of a message, and of one line of it."""
MOST_BODY = 256 * 1024 * 1024
"""The most bytes of a message."""
_SMALL = 1024 * 1024
_TOO_LONG = f"The client sent a message whose header has more than {MOST_HEADER // 1024} KB."
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,18})[ \t]*", re.IGNORECASE)


class FramingError(QueryError):
    """The client sent a message whose end cannot be found, so nothing after it can be read."""


class NotMessageError(Exception):
    """A body that is not a message of the protocol; ``code`` is the error that the client gets for it."""

    def __init__(self, code: ErrorCodes, why: str) -> None:
        super().__init__(why)
        self.code = int(code)


class LargeBodies:
    """Room for the large messages that several clients are sending: all together have MOST_BODY bytes."""

    def __init__(self) -> None:
        self._left = MOST_BODY
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def room(self, length: int) -> AsyncIterator[None]:
        """A context for a message of this many bytes, once there is room for it; small ones do not wait."""
        if length <= _SMALL:
            yield
            return
        async with self._freed:
            await self._freed.wait_for(lambda: length <= self._left)
            self._left -= length
        try:
            yield
        finally:
            self._left += length
            async with self._freed:
                self._freed.notify_all()


async def bodies(
    reader: asyncio.StreamReader, seconds: float | None = None, large: LargeBodies | None = None
) -> AsyncIterator[bytes]:
    """Yield the body of each message until the input ends. Raises FramingError.

    ``seconds`` is how long a client may take to send a message that it has begun; with ``large``, large
    messages wait until there is room for them.
    """
    large = large or LargeBodies()
    while first := await reader.read(1):
        if first in b"\r\n":
            continue  # an empty line between messages
        try:
            async with asyncio.timeout(seconds):
                length = await _length(reader, first)
            if length is None:
                return
            async with large.room(length), asyncio.timeout(seconds):
                body = await reader.readexactly(length)
        except TimeoutError as error:
            raise FramingError(f"The client took more than {seconds:g} s to send a message.") from error
        except asyncio.IncompleteReadError:
            return
        yield body


async def _length(reader: asyncio.StreamReader, first: bytes) -> int | None:
    """The length of the body whose header begins with ``first``; None if the input ends in it."""
    length, size = None, 0
    while size <= MOST_HEADER:
        try:
            line = first + await reader.readline()
        except ValueError as error:  # asyncio's word for a line above its limit
            raise FramingError(_TOO_LONG) from error
        if not line.endswith(b"\n"):
            return None
        first = b""
        size += len(line)
        content = line.rstrip(b"\r\n")
        if (match := _LENGTH.fullmatch(content)) is not None:
            length = int(match[1])
        elif not content:
            return _bounded(length)
    raise FramingError(_TOO_LONG)


def _bounded(length: int | None) -> int:
    if length is None:
        raise FramingError("The client sent the header of a message without a Content-Length.")
    if length > MOST_BODY:
        most = MOST_BODY // 1024 // 1024
        raise FramingError(f"The client announced a message of {length:,} bytes; the limit is {most} MB.")
    return length


def parsed(body: bytes) -> dict[str, Any]:
    """The JSON object in a body. Raises NotMessageError."""
    try:
        message = json.loads(body)
    except RecursionError:
        raise NotMessageError(ErrorCodes.ParseError, "The message is nested too deeply.") from None
    except ValueError as error:
        raise NotMessageError(ErrorCodes.ParseError, f"The message is not JSON: {error}.") from None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        why = 'The message is not an object with "jsonrpc": "2.0".'
        raise NotMessageError(ErrorCodes.InvalidRequest, why)
    return message
