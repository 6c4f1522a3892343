"""What has been typed of a command line: whole words, and the beginning of the one to complete."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

from click.shell_completion import split_arg_string

_CURSOR = "\0"
# What needs no backslash: bash splits words at colons, but takes them as they are.
_UNQUOTED = re.compile(r"[^\w@%+=:,./-]", re.ASCII)


class TypedLine(NamedTuple):
    """The words of a line without their quotes, and the beginning of the last one, empty after a space.

    ``in_quotes`` says that a quote is still open.
    """

    words: list[str]
    beginning: str
    in_quotes: bool


def typed_line(line: str) -> TypedLine:
    """Split a line that ends where the cursor is; quotes may be open."""
    *words, last = split_arg_string(line + _CURSOR)
    return TypedLine(words, last.replace(_CURSOR, ""), _has_open_quote(line))


def _has_open_quote(line: str) -> bool:
    try:
        shlex.split(line)
    except ValueError as error:  # or the line ends with a backslash
        return "quotation" in str(error)
    return False


def for_bash(candidate: str, typed: TypedLine, word: str) -> str:
    """Return what bash puts in place of ``word``, which is all of the beginning or what is behind a colon."""
    beginning = typed.beginning
    if typed.in_quotes:  # bash splits no words there
        return candidate
    kept = candidate[len(beginning) - len(word) :] if beginning.endswith(word) else candidate
    return _UNQUOTED.sub(r"\\\g<0>", kept)
