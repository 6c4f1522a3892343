"""What the server answers, as one reads it in a marker: places by their text, never by numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lsprotocol.types import Position, Range

from support.editors.texts import Texts

Place = tuple[str, dict[str, Any]]
"""A URI, and a range as it is in a message."""
_LONGEST = 70
_NUMBERED = re.compile(r"(?P<path>\S+\.lisp):(?P<line>\d+)")
_ON_LINE = re.compile(r"on line (\d+)")
_AS_INDEXED = "when the index was built"


class Shown:
    """The texts of a situation's files, and how the file that asks shows places in them."""

    def __init__(self, texts: Texts, here: str) -> None:
        """``here`` is the URI of the file that asks."""
        self._folder = Path(urlsplit(here).path).parent
        self.texts = texts
        self._here = here

    def places(self, found: Iterable[Place]) -> list[str]:
        """Each place as its line, with angle quotes around it; neighbours in one line are shown together."""
        return [f"{self._file(uri)}{text}" for uri, text in self._marked_lines(found)]

    def _marked_lines(self, found: Iterable[Place]) -> Iterator[tuple[str, str]]:
        lines: list[tuple[str, int, list[tuple[int, int]]]] = []
        for uri, range_ in found:
            line, (start, end) = range_["start"]["line"], self._columns(uri, range_)
            same = bool(lines) and lines[-1][:2] == (uri, line) and lines[-1][2][-1][1] <= start
            if not same:
                lines.append((uri, line, []))
            lines[-1][2].append((start, end))
        for uri, line, extents in lines:
            text = self.texts.lines(uri)[line]
            for start, end in reversed(extents):
                text = f"{text[:start]}«{text[start:end]}»{text[end:]}"
            yield uri, text.strip()

    def _columns(self, uri: str, range_: dict[str, Any]) -> tuple[int, int]:
        return self.texts.columns(uri, _range(range_))

    def cut(self, uri: str, range_: dict[str, Any]) -> str:
        """The text in a range, on one line; of a long one, both ends."""
        text = self.texts.cut(uri, _range(range_))
        if text == self.texts.of(uri):
            return "the whole file"
        text = " ".join(text.split())
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 3 :]}"

    def line(self, number: int) -> str:
        """The text of a line of this file; the first is 0."""
        return self.texts.lines(self._here)[number].strip()

    def _file(self, uri: str) -> str:
        """What comes before a place to say in which file it is."""
        if uri == self._here:
            return ""
        near = uri.rpartition("/")[0] == self._here.rpartition("/")[0]
        return f"{'/'.join(uri.split('/')[-1 if near else -2 :])}: "

    def message(self, text: str) -> str:
        """A message with the text of each line that it has the number of."""
        indexed = _AS_INDEXED in text
        text = _NUMBERED.sub(lambda match: self._numbered(match, indexed), text)
        return _ON_LINE.sub(lambda match: f"on line «{self.line(int(match[1]) - 1)}»", text)

    def _numbered(self, match: re.Match[str], indexed: bool) -> str:
        path = self._folder / match["path"]
        lines = path.read_text().split("\n") if indexed else self.texts.lines(path.as_uri())
        return f"{path.name} «{lines[int(match['line']) - 1].strip()}»"


def _range(range_: dict[str, Any]) -> Range:
    return Range(Position(**range_["start"]), Position(**range_["end"]))
