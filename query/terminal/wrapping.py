"""Text wrapped to the width of a terminal, never inside a word."""

from __future__ import annotations

import shutil
import textwrap

_LEAST = 20
_FURTHER = 2
_INNER = 4  # what is indented so far, such as documentation, goes on at the same column


def terminal_width() -> int:
    """The number of columns of the terminal."""
    return max(_LEAST, shutil.get_terminal_size().columns)


def wrapped(text: str, width: int) -> str:
    """``text`` with long lines broken at spaces, and indented; a word stays whole, however wide."""
    return "\n".join(part for line in text.split("\n") for part in _wrapped_line(line, width))


def _wrapped_line(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(
        line.lstrip(),
        width,
        initial_indent=indent,
        subsequent_indent=indent if len(indent) >= _INNER else indent + " " * _FURTHER,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
