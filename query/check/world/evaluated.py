"""Which arguments of a macro are evaluated as they are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The arguments of a macro that it evaluates: some by position, from 0, and all from ``rest`` on."""

    positions: frozenset[int]
    rest: int | None

    def __contains__(self, position: int) -> bool:
        return position in self.positions or (self.rest is not None and position >= self.rest)
