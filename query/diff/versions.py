"""Versions of systems, and the step that changes ask for (semver.org, items 4 and 6 to 8)."""

from __future__ import annotations

import re

from .findings import MAJOR, MINOR, NONE

_VERSION = re.compile(r"\d+(\.\d+)*")  # what ASDF takes for a version (its manual, 13.2)


def parse_version(text: str | None) -> tuple[int, ...] | None:
    """The numbers of a version as ASDF has it; None for what is none."""
    if text is None or not _VERSION.fullmatch(text) or len(text) > 100:
        return None
    return tuple(map(int, text.split(".")))


def needed_version(old: str | None, step: str) -> str | None:
    """The lowest version that says that a step was taken since ``old``; None when that is no version.

    Before 1.0.0 everything may change (item 4); as is usual then, the second number speaks for
    breaking changes and the third for all others.
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
    """Whether the version ``new`` is at least ``needed``; None when one of them is none."""
    have, want = parse_version(new), parse_version(needed)
    if have is None or want is None:
        return None
    length = max(len(have), len(want))
    return (*have, *[0] * (length - len(have))) >= (*want, *[0] * (length - len(want)))
