"""The path patterns of oblist.toml, rewritten as lines of .gitignore, which pathspec matches.

The patterns differ from those of .gitignore in three ways: a pattern always starts at the folder of the
settings; ``**`` crosses folders inside a name too; and all characters except ``*`` and ``?`` stand for
themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_MOST_WITHIN = 5
_LITERAL = re.compile(r"[\\\[ ]")
_START_OF_NAME = re.compile(r"(?<![^/])\*\*(?=[^/])")
_END_OF_PATTERN = re.compile(r"(?<=[^/*])\*\*$")
_END_OF_NAME = re.compile(r"(?<=[^/*])\*\*(?=/)")
_WITHIN_NAME = re.compile(r"(?<=[^/*])\*\*(?=[^/*])")


class PatternError(ValueError):
    """The pattern is too costly to match."""


def matching(globs: Iterable[str]) -> GitIgnoreSpec:
    """A specification that matches every path that any of ``globs`` matches. Raises PatternError."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(line for glob in globs for line in _lines(glob))


def _lines(glob: str) -> Iterator[str]:
    """The lines of .gitignore that together mean the same as ``glob``."""
    glob = _LITERAL.sub(r"\\\g<0>", re.sub(r"\*{3,}", "**", glob.strip("/")))
    glob = _START_OF_NAME.sub("**/*", glob)
    glob = _END_OF_PATTERN.sub("*", glob)  # a folder matches everything in it anyway
    glob = _END_OF_NAME.sub("*/**", glob)
    first, *others = _WITHIN_NAME.split(glob)
    if len(others) > _MOST_WITHIN:
        raise PatternError(f"{glob} contains ** within file names more than {_MOST_WITHIN} times")
    for stars in product(("*", "*/**/*"), repeat=len(others)):
        yield "/" + first + "".join(star + text for star, text in zip(stars, others, strict=True))
