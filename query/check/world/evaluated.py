"""Which arguments of a macro are evaluated as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The arguments of a macro that it evaluates: some by position, from 0, and all from ``rest`` on.

    ``inner`` are those that it destructures, with the parts of each that it evaluates.
    """

    positions: frozenset[int]
    rest: int | None
    inner: Mapping[int, Evaluated]

    def __contains__(self, position: int) -> bool:
        return position in self.positions or (self.rest is not None and position >= self.rest)
