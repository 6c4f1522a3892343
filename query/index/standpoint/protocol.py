"""The protocol by which an index writes names as the code of one package does."""

from __future__ import annotations

from typing import Protocol


class Standpoint(Protocol):
    """The package in whose code the names of answers are going to be written."""

    @property
    def number(self) -> int | None:
        """The package's number; None if the index lacks the package."""

    def written(
        self, name: str, package: str | None, external: bool, operator: str | None, number: int | None
    ) -> str:
        """Return a symbol's name as code in the package writes it.

        ``package`` is the symbol's home package, or the one that it was found in; ``external`` is whether it
        is external there. ``number`` is the symbol's number, if the caller knows it; ``operator`` is SETF or
        CAS for the name of such a function.
        """
