"""Choosing methods by their qualifiers and specializers, as one types them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ...syntax.printed import items


class Method(Protocol):
    """The fields by which a method is chosen."""

    @property
    def qualifiers(self) -> str | None:
        """Its qualifiers, as printed."""

    @property
    def specializers(self) -> str | None:
        """Its specializers, as a printed list."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The methods with certain qualifiers and specializers, such as ``(circle t)`` or ``:around circle``.

    The specializers are the first of a method's, after its qualifiers, if any are typed; ``_`` stands for any
    specializer. Packages are ignored: specializers are printed without them.
    """

    qualifiers: list[str]
    specializers: list[str]
    fold: Callable[[str], str]

    @classmethod
    def typed(cls, text: str, fold: Callable[[str], str]) -> Wanted:
        """Those that ``text`` names; ``fold`` is the case folding of the index."""
        text = text.strip()
        names = [fold(one) for one in items(text if text.startswith("(") else f"({text})")]
        classes = [name for name in names if not name.startswith(":")]
        return cls(
            [name for name in names if name.startswith(":")],
            [name if name.startswith("(") else name.rpartition(":")[2] for name in classes],
            fold,
        )

    def has(self, method: Method) -> bool:
        """Whether ``method`` is one of them."""
        own = [self.fold(one) for one in items(method.specializers or "")]
        if self.qualifiers and self.qualifiers != self.fold(method.qualifiers or "").split():
            return False
        return len(self.specializers) <= len(own) and all(
            name in ("_", specializer) for name, specializer in zip(self.specializers, own, strict=False)
        )
