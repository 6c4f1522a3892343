"""The definitions in an index, file by file, with the text and byte offsets of their lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from ..index.reading import Reading
from ..index.written import own_name, written
from ..syntax.lexemes import tokens_in
from . import sql
from .selection import Selection
from .sql import PlacedRow


@dataclass(frozen=True)
class SourceFile:
    """A source file of the index: its path on this machine, and the definitions in it."""

    index: Reading
    id: int
    path: str
    size: int | None
    system: str | None
    definitions: list[PlacedRow] = field(default_factory=list)

    @cached_property
    def lines(self) -> list[str]:
        """The lines as the index has them, without line feeds but with carriage returns; none without text.

        The file is not read instead: an index must not decide which files are copied into an export.
        """
        return [text for (text,) in self.index.rows(sql.LINES, file=self.id)]

    @cached_property
    def encoding(self) -> str:
        """The encoding in which the text is as long as the file was: UTF-8 or Latin-1."""
        text = "\n".join(self.lines)
        if self.size is not None and len(text.encode("utf-8", "surrogatepass")) != self.size == len(text):
            return "latin-1"
        return "utf-8"

    @cached_property
    def line_starts(self) -> list[int]:
        """The byte offset of each line."""
        starts, position = [], 0
        for line in self.lines:
            starts.append(position)
            position += len(line.encode(self.encoding, "replace")) + 1
        return starts


def source_files(index: Reading, chosen: Selection) -> Iterator[SourceFile]:
    """The files that contain selected definitions, sorted by path, each with its own selected definitions."""
    rows = map(PlacedRow._make, index.rows(sql.PLACED))
    by_file = {number: list(group) for number, group in groupby(rows, key=lambda row: row.file)}
    for file in map(sql.ExportedFileRow._make, index.rows(sql.FILES)):
        found = [row for row in by_file.get(file.id, ()) if chosen.has(file.system, row.package)]
        if found:
            path = index.local_path(file.path) or file.path
            yield SourceFile(index, file.id, path, file.size, file.system, found)


def place_of_name(index: Reading, line: str, name: str, start: int = 0) -> tuple[int, int] | None:
    """The place of ``name`` in ``line`` from ``start`` on, as a whole token, with or without a package."""
    folded = index.fold(name)
    if folded.startswith("("):  # (setf name) is found only if it is on one line, with single spaces
        place = index.fold(line).find(folded, start)
        return (place, place + len(name)) if place >= 0 else None
    for begin, end in tokens_in(line, start):
        text = index.fold(line[begin:end])
        if text == folded or text.endswith(f":{folded}"):
            return begin, end
    return None


def shown(index: Reading, one: PlacedRow) -> str:
    """The name of a definition as its source writes it: ``flatten``, ``(setf page)``, ``|odd Name|``."""
    return own_name(one.name, index.upcase, one.operator)


def qualified(index: Reading, one: PlacedRow) -> str | None:
    """The name with its package, as other packages write it; None for packages and uninterned symbols."""
    if one.symbol is None or one.package is None:
        return None
    status = "external" if one.exported else "internal"
    return written(index, one.name, index.package_names[one.package], status, one.operator)
