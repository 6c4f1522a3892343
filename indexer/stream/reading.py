"""A stream of records from any producer, read line by line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import orjson

from ..records import Record, record_of
from ..source_text import LISP_ENDINGS, octets_below
from ..source_text import MOST_BYTES as MOST_TEXT_BYTES
from ..sources import Source, source_of
from .conformance import Conformance
from .rules import (
    END,
    LINES,
    MEMBERS,
    MOST_BYTES,
    MOST_LINE_BYTES,
    BreachError,
    BrokenRuleError,
)


def records_of(stream: IO[bytes], name: str) -> Iterator[Record]:
    """Yield the records of ``stream``, the header first and the end last; ``name`` is for messages.

    Raises BrokenRuleError at the first line that breaks a rule, and OSError.
    """
    conformance = Conformance()
    number = 0
    try:
        for number, line in enumerate(_lines(stream), 1):  # noqa: B007 - for the message
            record = _record(line)
            conformance.check(record)
            yield record
        if not conformance.ended:
            raise BreachError(END, "the stream ends here, without an end record")
    except _LineError as error:
        raise BrokenRuleError(name, number + 1, error.rule, error.found) from error
    except BreachError as error:
        raise BrokenRuleError(name, max(number, 1), error.rule, error.found) from error


class _LineError(BreachError):
    """The next line is none."""


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    total = 0
    while line := stream.readline(MOST_LINE_BYTES + 1):
        total += len(line)
        if len(line) > MOST_LINE_BYTES:
            raise _LineError(LINES, "the line is too long")
        if total > MOST_BYTES:
            raise _LineError(LINES, "the stream is too long")
        if not line.endswith(b"\n"):
            raise _LineError(LINES, "the line does not end: the stream was cut off")
        if not line.strip():
            raise _LineError(LINES, "the line is empty")
        yield line


def _record(line: bytes) -> Record:
    try:
        values = orjson.loads(line)
    except ValueError as error:
        raise BreachError(LINES, f"the line is not JSON in UTF-8 ({error})") from error
    if not isinstance(values, dict):
        raise BreachError(LINES, "the line is not a JSON object")
    try:
        return record_of(values)
    except (KeyError, TypeError, AttributeError) as error:
        reason = str(error).replace("__init__() ", "")
        raise BreachError(MEMBERS, f"the line is not a record ({reason})") from error


def named_source(path: str) -> Source | None:
    """The Lisp source at ``path``, which a stream may name from anywhere; None if it cannot be read.

    Once all links are followed, it must have the name of a Lisp file.
    """
    real = Path(os.path.realpath(path))
    if not real.name.lower().endswith(LISP_ENDINGS):
        return None
    try:
        return source_of(octets_below(Path("/"), real, MOST_TEXT_BYTES))
    except OSError:
        return None
