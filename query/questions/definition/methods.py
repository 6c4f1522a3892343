"""Choosing methods by their qualifiers and specializers, as one types them."""

from __future__ import annotations

from collections.abc import Callable
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


def specializes(method: Method, typed: str, fold: Callable[[str], str]) -> bool:
    """Whether a method has the specializers ``typed``, such as ``(circle t)`` or ``:around circle``.

    These are the first of its specializers, after its qualifiers, if any are typed; ``_`` stands for any
    specializer. ``fold`` is the case folding of the index. Packages are ignored: specializers are printed
    without them.
    """
    typed = typed.strip()
    names = [fold(one) for one in items(typed if typed.startswith("(") else f"({typed})")]
    qualifiers = [name for name in names if name.startswith(":")]
    classes = [name for name in names if not name.startswith(":")]
    wanted = [name if name.startswith("(") else name.rpartition(":")[2] for name in classes]
    own = [fold(one) for one in items(method.specializers or "")]
    if qualifiers and qualifiers != [fold(one) for one in (method.qualifiers or "").split()]:
        return False
    return len(wanted) <= len(own) and all(
        name in ("_", specializer) for name, specializer in zip(wanted, own, strict=False)
    )
