"""Versions of systems, and the version that a step requires (semver.org, items 4 and 6 to 8)."""

from __future__ import annotations

import re

from .findings import MAJOR, MINOR, NONE

_VERSION = re.compile(r"\d+(\.\d+)*")  # the syntax of versions in ASDF (its manual, 13.2)


def parse_version(text: str | None) -> tuple[int, ...] | None:
    """The numbers of an ASDF version; None for any other text."""
    if text is None or not _VERSION.fullmatch(text) or len(text) > 100:
        return None
    return tuple(map(int, text.split(".")))


def needed_version(old: str | None, step: str) -> str | None:
    """The lowest version that is a ``step`` above ``old``; None if ``old`` is not a version.

    Before 1.0.0 anything may change (item 4); by convention, the second number then counts breaking changes,
    and the third all others.
    """
    numbers = parse_version(old)
    if numbers is None or old is None:
        return None
    if step == NONE:
        return old
    place = {MAJOR: 0, MINOR: 1}.get(step, 2)
    if numbers[0] == 0:
        place = 1 if step == MAJOR else 2
    length = max(len(numbers), place + 1)
    padded = [*numbers, *[0] * (length - len(numbers))]
    raised = [*padded[:place], padded[place] + 1, *[0] * (length - place - 1)]
    return ".".join(map(str, raised))


def is_enough(new: str | None, needed: str | None) -> bool | None:
    """Whether the version ``new`` is at least ``needed``; None unless both are versions."""
    have, want = parse_version(new), parse_version(needed)
    if have is None or want is None:
        return None
    length = max(len(have), len(want))
    return (*have, *[0] * (length - len(have))) >= (*want, *[0] * (length - len(want)))
