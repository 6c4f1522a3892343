"""Places as text: by what they do, and by file; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Protocol, TypeVar

from ..index.shown import shown_name


class InFile(Protocol):
    """What has a place in a file."""

    @property
    def path(self) -> str | None:
        """The path of the file; None if it is not known."""


_One = TypeVar("_One", bound=InFile)


def placed_lines(
    places: Iterable[_One],
    sort: Callable[[_One], str],
    heading: Callable[[str], str],
    line: Callable[[_One], str],
) -> Iterator[str]:
    """Yield the heading of each sort of ``places``, below it each file once, and below that its places."""
    for name, of_sort in groupby(places, key=sort):
        yield heading(name)
        for path, group in groupby(of_sort, key=lambda one: one.path):
            yield f"  {shown_name(path or 'place unknown')}"
            yield from (f"    {line(one)}" for one in group)
