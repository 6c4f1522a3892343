"""Definitions as lines show them: what begins at the margin with a defining macro and a name, unread.

For texts that are too large to be read: it is not known whether a line is part of a string or a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_DEFINITION = re.compile(
    r"""^\((?:[^\s()"';|\\:]+::?)?(def[^\s()"';|\\:]*)[ \t]+(\(setf[ \t]+)?([^\s()"';|`,]+)""",
    re.MULTILINE | re.IGNORECASE,
)


class MarginDefinition(NamedTuple):
    """A line that seems to define something; the places are offsets in the text."""

    operator: str
    """In lower case, without a package."""
    name: str
    setf: bool
    start: int
    name_start: int


def margin_definitions(text: str) -> Iterator[MarginDefinition]:
    """Yield the lines of a text that begin with a defining macro and a name, in order."""
    for found in _DEFINITION.finditer(text):
        yield MarginDefinition(
            found[1].lower(), found[3], found[2] is not None, found.start(), found.start(3)
        )
