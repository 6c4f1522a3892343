"""Answers about sources that have changed, with the places where everything is now."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, NamedTuple, cast

from .carrying import Carrying

_NESTED = re.compile(r"\b(?!None\b|Any\b)[A-Z]\w*")
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
        self._old_starts, self._starts = _line_starts(old), _line_starts(new)
        self._carrying = Carrying(old, new)

    def extent(self, line: int, column: int | None) -> Extent | None:
        """What began at a place of the indexed text; None if it is gone.

        Without a column, it is what comes first on the line.
        """
        if not 0 < line <= len(self._old_starts):
            return None
        start = self._old_starts[line - 1]
        if column is None:
            text = self.line_of(self._old, self._old_starts, line)
            column = len(text) - len(text.lstrip()) + 1
        found = self._carrying.at(start + column - 1)
        if found is None:
            return None
        first = bisect_right(self._starts, found[0])
        return Extent(
            *found, first, found[0] - self._starts[first - 1] + 1, bisect_right(self._starts, found[1] - 1)
        )

    @property
    def lines(self) -> int:
        """The number of lines of the present text."""
        return len(self._starts)

    def indexed_line(self, number: int) -> str:
        """A line of the indexed text; empty beyond its end."""
        return self.line_of(self._old, self._old_starts, number) if number <= len(self._old_starts) else ""

    def line(self, number: int) -> str:
        """A line of the present text."""
        return self.line_of(self.text, self._starts, number)

    @staticmethod
    def line_of(text: str, starts: list[int], number: int) -> str:
        """A line of a text whose lines begin at ``starts``."""
        end = starts[number] - 1 if number < len(starts) else len(text)
        return text[starts[number - 1] : end].removesuffix("\r")


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


Files = Callable[[str], PresentFile | None]
"""Called with the path of a source file: its present text, if it has changed and both texts are known."""


class Carried(NamedTuple):
    """An answer with present places, and how many of its places are gone."""

    answer: Any
    gone: int


def carried(answer: Any, files: Files) -> Carried:
    """The answer with the places of now in it and in the answers that it consists of.

    What is gone has no line; an example that is gone is left out.
    """
    changes: dict[str, Any] = {}
    gone = 0
    kind: type = type(answer)
    names, nested = _fields(kind)
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
    first, *others = file.text[now.start : now.end].split("\n")
    margin = now.column - 1
    lines = [line[margin:] if not line[:margin].strip() else line.lstrip() for line in others]
    found: dict[str, Any] = {"form": "\n".join([first, *lines])}
    if answer.context is not None:
        around = (answer.context.count("\n") - answer.form.count("\n")) // 2
        last = min(now.end_line + around, file.lines)
        found["context"] = "\n".join(map(file.line, range(max(1, now.line - around), last + 1)))
    return found


@cache
def _fields(kind: type) -> tuple[frozenset[str], tuple[str, ...]]:
    """The names of the fields of a kind of answer, and those which have answers in them."""
    all_ = fields(cast(Any, kind))
    nested = tuple(one.name for one in all_ if _NESTED.search(str(one.type)))
    return frozenset(one.name for one in all_), nested
