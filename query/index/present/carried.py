"""Answers about sources that have changed, with the places where everything is now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass, replace
from typing import Any, NamedTuple

from ..answer_field import fields_of
from ..shown import unindented
from .carrying import Carrying
from .lines import TextLines

_LONGEST_LINE = 2_000


class Extent(NamedTuple):
    """A form or word in a present text: offsets count from 0, lines and columns from 1."""

    start: int
    end: int
    line: int
    column: int
    end_line: int


class PresentFile:
    """The present text of a source file that has changed, compared with the one that was indexed."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self.text = old, new
        self._indexed, self._lines = TextLines(old), TextLines(new)
        self._carrying = Carrying(old, new)

    def extent(self, line: int, column: int | None) -> Extent | None:
        """What began at a place of the indexed text; None if it is gone.

        Without a column, the place is the first token on the line.
        """
        if not 0 < line <= len(self._indexed):
            return None
        if column is None:
            text = self.indexed_line(line)
            column = len(text) - len(text.lstrip()) + 1
        found = self._carrying.at(self._indexed.start(line) + column - 1)
        if found is None:
            return None
        start, end = found
        return Extent(start, end, *self._lines.place(start), self._lines.place(end - 1)[0])

    @property
    def lines(self) -> int:
        """The number of lines of the present text."""
        return len(self._lines)

    def indexed_line(self, number: int) -> str:
        """A line of the indexed text; empty beyond its end."""
        return _line(self._old, self._indexed, number) if number <= len(self._indexed) else ""

    def line(self, number: int) -> str:
        """A line of the present text."""
        return _line(self.text, self._lines, number)


def _line(text: str, lines: TextLines, number: int) -> str:
    end = lines.start(number + 1) - 1 if number < len(lines) else len(text)
    return text[lines.start(number) : end].removesuffix("\r")


Files = Callable[[str], PresentFile | None]
"""Called with the path of a source file: its present text, if it has changed and both texts are known."""


class Carried(NamedTuple):
    """An answer with present places, and how many of its places are gone."""

    answer: Any
    gone: int


def carried(answer: Any, files: Files) -> Carried:
    """The answer with present places, also in the answers that it consists of.

    What is gone has no line; an example that is gone is left out.
    """
    changes: dict[str, Any] = {}
    gone = 0
    kind: type = type(answer)
    names, nested = fields_of(kind)
    if "text_offset" in names:  # definition reads the present text
        gone += answer.from_source and answer.line is None
    elif {"path", "line"} <= names:
        file = files(answer.path) if answer.path is not None and answer.line is not None else None
        if file is not None:
            changes = _moved(answer, names, file)
            gone += changes["line"] is None
    for name in nested:
        value = getattr(answer, name)
        if isinstance(value, list | tuple):
            parts = [carried(one, files) if is_dataclass(one) else Carried(one, 0) for one in value]
            gone += sum(one.gone for one in parts)
            kept = [one.answer for one in parts if not _is_gone_example(one)]
            if any(now is not before for now, before in zip(kept, value, strict=False)) or len(kept) < len(
                value
            ):
                changes[name] = type(value)(kept)
        elif is_dataclass(value):
            part = carried(value, files)
            gone += part.gone
            if part.answer is not value:
                changes[name] = part.answer
    return Carried(replace(answer, **changes) if changes else answer, gone)


def _is_gone_example(part: Carried) -> bool:
    return bool(part.gone) and hasattr(part.answer, "form") and part.answer.line is None


def _moved(answer: Any, names: frozenset[str], file: PresentFile) -> dict[str, Any]:
    """The fields of an answer that are others now."""
    column = getattr(answer, "column", None)
    if "form" in names:
        column = _column_of(file, answer.line, answer.form)
    now = file.extent(answer.line, column)
    found: dict[str, Any] = {"line": now.line if now is not None else None}
    if now is None:
        empty = ("column", "length", "offset", "end_line", "text")
        return found | {name: None for name in empty if name in names}
    if "column" in names:
        found["column"] = now.column if answer.column is not None else None
    if "offset" in names and answer.offset is not None:
        found["offset"] = now.start
    if "end_line" in names and answer.end_line is not None:
        found["end_line"] = now.end_line
    if "text" in names and answer.text is not None:
        text = file.line(now.line)
        found["text"] = text if len(text) <= _LONGEST_LINE else answer.text
    if "form" in names:
        found |= _form(answer, file, now)
    return found


def _column_of(file: PresentFile, line: int, form: str) -> int | None:
    at = file.indexed_line(line).find(form.partition("\n")[0])
    return at + 1 if at >= 0 else None


def _form(answer: Any, file: PresentFile, now: Extent) -> dict[str, Any]:
    """The present text of an example, and as many lines around it as before."""
    found: dict[str, Any] = {"form": unindented(file.text[now.start : now.end], now.column - 1)}
    if answer.context is not None:
        around = (answer.context.count("\n") - answer.form.count("\n")) // 2
        last = min(now.end_line + around, file.lines)
        found["context"] = "\n".join(map(file.line, range(max(1, now.line - around), last + 1)))
    return found
