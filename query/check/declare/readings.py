"""Texts as the reader has them, so that several passes over the same text read it once."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.meanings import IndexMeanings
from ...syntax.features import Features
from ...syntax.nodes import Faults, Toplevel
from ...syntax.reader import read
from ...syntax.state.cases import ReadForm, cases_of
from ...syntax.tokens import Tokens


class ReadText:
    """The toplevel forms of a text, and what is wrong with it."""

    def __init__(self, text: str, features: Features) -> None:
        self.text = text
        self.faults = Faults()
        self.forms = [ReadForm.of(one, text) for one in read(text, features, self.faults)]
        self._cases: dict[str, list[str]] = {}

    def toplevels(self) -> Iterator[Toplevel]:
        """The toplevel forms, in order."""
        return (one.toplevel for one in self.forms)

    def with_cases(
        self, package: str, meanings: IndexMeanings, tokens: Tokens
    ) -> Iterator[tuple[ReadForm, str]]:
        """The forms with the cases that they are read in, in a text that begins in a package.

        ``meanings`` and ``tokens`` are those of one index.
        """
        if package not in self._cases:
            self._cases[package] = cases_of(self.forms, package, meanings, tokens)
        return zip(self.forms, self._cases[package], strict=True)


class Readings:
    """Reads texts with the features of one index, and keeps the last one."""

    def __init__(self, features: Features) -> None:
        self._features = features
        self._last: ReadText | None = None

    def of(self, text: str) -> ReadText:
        """The text as it is read."""
        if self._last is None or self._last.text != text:
            self._last = None  # which may go before the next one comes
            self._last = ReadText(text, self._features)
        return self._last
