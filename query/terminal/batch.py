"""Batches of names: each line of input is one name, answered in order, as it arrives, with one JSON line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import IO, Any

from ..index.not_found import NotFound
from .exit_codes import EXIT_NOT_FOUND
from .printing import json_text

_CHUNK_BYTES = 1 << 16
_MOST_LINE_BYTES = 1 << 16  # longer than any name


def answer_batch(names: IO[bytes], answered: Callable[[str], object]) -> int:
    """Answer each line of ``names`` with one JSON line, and return the exit code of the whole batch.

    A name that cannot be answered gets an error in place of its answer. Lines are answered as soon as they
    arrive, and the answers to lines that arrived together are written together, so a program may send a name,
    read its answer, and send the next.
    """
    code = 0
    for lines in _arriving(names):
        answers = []
        for line in lines:
            answer = _too_long() if line is None else answered(line.decode("utf-8", "surrogateescape"))
            if isinstance(answer, NotFound):
                code = EXIT_NOT_FOUND
            answers.append(json_text(answer, indent=False))
        if answers:
            sys.stdout.write("\n".join(answers) + "\n")
            sys.stdout.flush()
    return code


def _arriving(stream: Any) -> Iterator[list[bytes | None]]:
    """The lines as they arrive, in groups; None for a line that is too long to be a name."""
    rest, too_long = b"", False
    while chunk := stream.read1(_CHUNK_BYTES):
        *lines, rest = (rest + chunk).split(b"\n")
        whole: list[bytes | None] = [_name(line) for line in lines]
        if too_long and whole:
            whole[0], too_long = None, False
        if len(rest) > _MOST_LINE_BYTES:
            rest, too_long = b"", True
        yield whole
    if rest or too_long:
        yield [None if too_long else _name(rest)]


def _name(line: bytes) -> bytes | None:
    return line.removesuffix(b"\r") if len(line) <= _MOST_LINE_BYTES else None


def _too_long() -> NotFound:
    message = f"A line is longer than {_MOST_LINE_BYTES} bytes"
    return NotFound("invalid-name", message, "Each line must be one name.", [])
