"""The texts of open documents as a client has them, and places in them as the steps write them."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol.types import Position, Range

_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Texts:
    """Texts by URI, whose positions count in the units of an encoding."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        """What the protocol says, unless something else was agreed on."""
        self._texts: dict[str, str] = {}

    def of(self, uri: str) -> str:
        """The text, from the file unless it was changed."""
        if uri not in self._texts:
            self._texts[uri] = Path(unquote(urlsplit(uri).path)).read_text(encoding="utf-8")
        return self._texts[uri]

    def put(self, uri: str, text: str) -> None:
        """Take a text, whatever the file has."""
        self._texts[uri] = text

    def change(self, uri: str, words: str, to: str) -> None:
        """Put something else in the place of the first of some words."""
        self._texts[uri] = self.of(uri).replace(words, to, 1)

    def edit(self, uri: str, range_: Range, to: str) -> None:
        """Put something else in the place of a range."""
        start, end = self._offset(uri, range_.start), self._offset(uri, range_.end)
        self._texts[uri] = self.of(uri)[:start] + to + self.of(uri)[end:]

    def position(self, uri: str, words: str, more: int) -> Position:
        """The position of the first of some words, and ``more`` characters on."""
        text = self.of(uri)
        before = text[: text.index(words) + more]
        return self.in_line(uri, before.count("\n"), len(before) - before.rfind("\n") - 1)

    def in_line(self, uri: str, line: int, column: int) -> Position:
        """The position of a character in a line; both count from 0."""
        codec, size = _UNITS[self.encoding]
        return Position(line, len(self.lines(uri)[line][:column].encode(codec)) // size)

    def lines(self, uri: str) -> list[str]:
        """The lines of the text; those of a text with CRLF end with the CR."""
        return self.of(uri).split("\n")

    def columns(self, uri: str, range_: Range) -> tuple[int, int]:
        """Where a range begins in its first line and ends in its last, in characters from 0."""
        return self._column(uri, range_.start), self._column(uri, range_.end)

    def cut(self, uri: str, range_: Range) -> str:
        """The text in a range."""
        return self.of(uri)[self._offset(uri, range_.start) : self._offset(uri, range_.end)]

    def numbers(self, uri: str, position: Position) -> str:
        """Line and column of a position, from 1, the column in characters."""
        offset = self._offset(uri, position)
        return f"{position.line + 1}:{offset - self.of(uri).rfind(chr(10), 0, offset)}"

    def place(self, uri: str, range_: Range) -> str:
        """A range as the steps write it."""
        return f"{uri.rpartition('/')[2]}:{self.numbers(uri, range_.start)} {self.cut(uri, range_)}"

    def _offset(self, uri: str, position: Position) -> int:
        before = self.lines(uri)[: position.line]
        return sum(len(one) + 1 for one in before) + self._column(uri, position)

    def _column(self, uri: str, position: Position) -> int:
        codec, size = _UNITS[self.encoding]
        line = self.lines(uri)[position.line].encode(codec)
        return len(line[: size * position.character].decode(codec))
