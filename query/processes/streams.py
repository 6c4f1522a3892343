"""Standard input and output as the channel of a protocol."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


def can_be_watched(stream: BinaryIO) -> bool:
    """Whether the event loop can wait for the stream, which it cannot for a file or /dev/null."""
    mode = os.fstat(stream.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stream.isatty()


async def watched_reader(stream: BinaryIO, limit: int) -> asyncio.StreamReader:
    """A reader of a stream that can be watched; ``limit`` is half the size of its buffer."""
    reader = asyncio.StreamReader(limit=limit)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stream)
    return reader


async def watched_writer(stream: BinaryIO) -> asyncio.StreamWriter:
    """A writer to a stream that can be watched."""
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, stream)
    return asyncio.StreamWriter(transport, protocol, None, loop)


@contextmanager
def private_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Reserve standard input and output for the protocol; stray output goes to standard error meanwhile."""
    # The event loop closes the streams that it is given; these copies restore them afterwards.
    kept = [os.dup(0), os.dup(1)]
    blocking = [os.get_blocking(descriptor) for descriptor in kept]
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        yield os.fdopen(os.dup(kept[0]), "rb"), os.fdopen(os.dup(kept[1]), "wb", buffering=0)
    finally:
        for number, (descriptor, was) in enumerate(zip(kept, blocking, strict=True)):
            # A terminal is shared with the shell, which does not expect it to be non-blocking.
            os.set_blocking(descriptor, was)
            os.dup2(descriptor, number)
            os.close(descriptor)
