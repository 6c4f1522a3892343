"""Messages as they come from a client: bounded, taken apart, and refused where they are none."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

from lsprotocol.types import ErrorCodes

from ..errors import QueryError

MOST_HEADER = 64 * 1024
"""The most bytes of the header of a message, and of one line of it."""
MOST_BODY = 256 * 1024 * 1024
"""The most bytes of a message."""
_TOO_LONG = f"The client sent the header of a message that has more than {MOST_HEADER // 1024} KB."
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,18})[ \t]*", re.IGNORECASE)


class FramingError(QueryError):
    """The client sent what has no end that the server could find, so nothing after it can be read."""


class NotMessageError(Exception):
    """A body that is not a message of the protocol; ``code`` is the error that the client gets for it."""

    def __init__(self, code: ErrorCodes, why: str) -> None:
        super().__init__(why)
        self.code = int(code)


async def bodies(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the body of each message until the input ends. Raises FramingError."""
    while (length := await _length(reader)) is not None:
        if length > MOST_BODY:
            most = MOST_BODY // 1024 // 1024
            raise FramingError(f"The client announced a message of {length:,} bytes; {most} MB are the most.")
        try:
            yield await reader.readexactly(length)
        except asyncio.IncompleteReadError:
            return


async def _length(reader: asyncio.StreamReader) -> int | None:
    """The length of the next body; None at the end of the input."""
    length, size = None, 0
    while size <= MOST_HEADER:
        try:
            line = await reader.readline()
        except ValueError as error:  # asyncio's word for a line above its limit
            raise FramingError(_TOO_LONG) from error
        if not line:
            return None
        size += len(line)
        content = line.rstrip(b"\r\n")
        if (match := _LENGTH.fullmatch(content)) is not None:
            length = int(match[1])
        elif not content and length is not None:
            return length
        elif not content and size > len(line):
            raise FramingError("The client sent the header of a message without a Content-Length.")
        elif not content:
            size = 0  # an empty line between messages
    raise FramingError(_TOO_LONG)


_TOO_LONG = f"The client sent the header of a message that has more than {MOST_HEADER // 1024} KB."


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
