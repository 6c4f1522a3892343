"""A table in a file of TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from ..errors import BrokenFileError
from .part import State, found_in, line_end, set_in, without_in


@dataclass(frozen=True, slots=True)
class TomlPart:
    """The table that ``path`` leads to, with ``content``."""

    path: Sequence[str]
    content: Mapping[str, Any]

    def value(self, text: str) -> Any:
        """What the file has there."""
        return found_in(read_toml(text), self.path)

    def state(self, text: str) -> State:
        """Whether the file has the table, and with this content."""
        found = self.value(text)
        if found is None:
            return State.ABSENT
        return State.SAME if found == self.content else State.OTHER

    def put(self, text: str) -> str:
        """The text with the table, at its end if it is new there."""
        data = read_toml(text)
        wanted = set_in(data, self.path, dict(self.content))
        if data == wanted:
            return text
        return first_that_reads(wanted, (lambda: appended(text, self._header()), lambda: self._set(text)))

    def _header(self) -> str:
        """The table as a text of its own."""
        document = tomlkit.document()
        around: Any = document
        for name in self.path[:-1]:
            around[name] = tomlkit.table(is_super_table=True)
            around = around[name]
        table = tomlkit.table()
        table.update(self.content)
        around[self.path[-1]] = table
        return tomlkit.dumps(document)

    def _set(self, text: str) -> str:
        """The text with the table where the file has its like, or an inline one."""
        document = tomlkit.parse(text)
        around: Any = document
        for name in self.path[:-1]:
            around = around.setdefault(name, tomlkit.table(is_super_table=True))
        inline = isinstance(around, tomlkit.items.InlineTable)
        table: Any = tomlkit.inline_table() if inline else tomlkit.table()
        table.update(self.content)
        around[self.path[-1]] = table
        return in_its_lines(text, tomlkit.dumps(document))

    def take(self, text: str) -> str:
        """The text without the table, and without those around it that are then empty."""
        if self.value(text) is None:
            return text
        wanted = without_in(read_toml(text), self.path)
        cut = in_its_lines(text, self._header().strip("\n") + "\n")
        return first_that_reads(wanted, (lambda: cut_off(text, cut), lambda: self._removed(text)))

    def _removed(self, text: str) -> str:
        document = tomlkit.parse(text)
        tables: list[Any] = [document]
        for name in self.path[:-1]:
            tables.append(tables[-1][name])
        for around, name in zip(reversed(tables), reversed(self.path), strict=True):
            del around[name]
            if around:
                break
        return in_its_lines(text, tomlkit.dumps(document))


def cut_off(text: str, cut: str) -> str:
    """A text without something that is in it once, and without the empty line before that."""
    before, found, after = text.partition(cut)
    if not found:
        raise ValueError(cut)
    newline = line_end(text)
    return before.removesuffix(newline) + after if before.endswith(newline * 2) else before + after


def read_toml(text: str) -> dict[str, Any]:
    """What a text of TOML says. Raises BrokenFileError."""
    text = text.removeprefix("\ufeff")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        why, line, column = _told(error, text)
        raise BrokenFileError(f"this is not TOML: {why}", line, column) from error


def _told(error: tomllib.TOMLDecodeError, text: str) -> tuple[str, int, int]:
    """The reason and the place that the reader of the standard library gives as one text."""
    why, _, place = str(error).rpartition(" (at ")
    numbers = [int(word) for word in place.rstrip(")").replace(",", "").split() if word.isdigit()]
    line, column = numbers if len(numbers) == 2 else (text.count("\n") + 1, 1)
    return why, line, column


def appended(text: str, addition: str) -> str:
    """A text with an addition at its end, after an empty line."""
    newline = line_end(text)
    gap = "" if not text.strip("\ufeff \t\r\n") else newline if text.endswith("\n") else newline * 2
    return text + gap + addition.strip("\n").replace("\n", newline) + newline


def in_its_lines(old: str, new: str) -> str:
    """What a library has written, with the line ends of the old text."""
    return new.replace("\r\n", "\n").replace("\n", line_end(old))


def first_that_reads(wanted: Mapping[str, Any], ways: Sequence[Any]) -> str:
    """The text that the first way makes which says what is wanted. Raises BrokenFileError if none does."""
    for way in ways:
        try:
            new: str = way()
            if read_toml(new) == wanted:
                return new
        except (BrokenFileError, TOMLKitError, ValueError, TypeError, KeyError):
            continue
    raise BrokenFileError("oblist cannot be added without changing something else")
