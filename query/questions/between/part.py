"""The parts of the code that can be asked about: packages, systems, files, the project."""

from __future__ import annotations

import json
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

from oblist.indexer.names import split_package
from oblist.indexer.source_text import LISP_ENDINGS

from ...index.finding.called_file import file_named
from ...index.finding.resolve import find_package, package_argument
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ..definition.ask import in_package
from ..xref.sql import UseRow
from . import sql

PROJECT, PACKAGE, SYSTEM, FILE = "project", "package", "system", "file"


class NamedPart(NamedTuple):
    """A part of the code; ``number`` is that of the package, system or file, and ``also`` a kind unmeant."""

    kind: str
    name: str
    number: int | None
    also: str | None = None

    @property
    def called(self) -> str:
        """What texts call it."""
        return self.kind if self.kind == PROJECT else f"{self.kind} {self.name}"


def part_named(index: Reading, text: str) -> NamedPart | NotFound:
    """Find the part of the code that a text names."""
    text = text.strip()
    before, colon, after = text.partition(":")
    if colon and before.lower() in (PACKAGE, SYSTEM, FILE) and after and not after.startswith(":"):
        return _of_kind(index, before.lower(), after)
    system = _system(index, text)
    if text.lower() == PROJECT and system is None:
        return _project(index)
    package = find_package(index, split_package(text, index.upcase))
    if system is not None:
        return system._replace(also=PACKAGE if package is not None else None)
    if package is not None:
        return NamedPart(PACKAGE, package.name, package.id)
    return _file_or_nothing(index, text)


def _file_or_nothing(index: Reading, text: str) -> NamedPart | NotFound:
    file = _of_kind(index, FILE, text)
    if not isinstance(file, NotFound) or "/" in text or text.lower().endswith(LISP_ENDINGS):
        return file
    unknown = package_argument(index, text)
    assert isinstance(unknown, NotFound)
    reason = "This index has no system, package or source file of that name."
    return NotFound("part-not-found", f"{shown_name(text)} not found", reason, unknown.suggestions)


def _of_kind(index: Reading, kind: str, name: str) -> NamedPart | NotFound:
    if kind == PACKAGE:
        package = package_argument(index, name)
        return package if isinstance(package, NotFound) else NamedPart(PACKAGE, package.name, package.id)
    if kind == FILE:
        file = file_named(index, name)
        if isinstance(file, NotFound):
            return file
        return NamedPart(FILE, index.local_path(file.path) or file.path, file.number)
    system = _system(index, name)
    if system is not None:
        return system
    names = [str(one) for (one,) in index.rows(sql.SYSTEM_NAMES) if name.lower() in str(one)]
    reason = "This index has no such system; `oblist info` lists its systems."
    return NotFound("part-not-found", f"System {shown_name(name)} not found", reason, names[:5])


def _project(index: Reading) -> NamedPart | NotFound:
    if index.rows(sql.FILES[PROJECT]):
        return NamedPart(PROJECT, PROJECT, None)
    reason = "This index was built without a project or system; name a package, a system or a file."
    return NotFound("part-not-found", "This index contains no project", reason, [])


def _system(index: Reading, name: str) -> NamedPart | None:
    """A system, by a name as ASDF coerces it: in lower case."""
    for spelling in dict.fromkeys((name, name.removeprefix(":").strip('"').lower())):
        for number, exact in index.rows(sql.SYSTEM, name=spelling):
            return NamedPart(SYSTEM, exact, number)
    return None


class PartCode:
    """The code of a part: which uses are in it."""

    def __init__(self, index: Reading, part: NamedPart) -> None:
        self._index, self.part = index, part
        self._packages: dict[int, tuple[list[int], list[int | None]]] = {}

    @cached_property
    def files(self) -> frozenset[int]:
        """The numbers of the files that may have some of it."""
        return frozenset(
            one for (one,) in self._index.rows(sql.FILES[self.part.kind], number=self.part.number)
        )

    @cached_property
    def symbols(self) -> str:
        """The numbers of the symbols of the part, as JSON."""
        rows = self._index.rows(sql.SYMBOLS[self.part.kind], number=self.part.number)
        return json.dumps([one for (one,) in rows])

    def has(self, use: UseRow) -> bool:
        """Whether a use is in this code: a package's is what is read in it.

        Where no text tells that, it is that of the definitions of its names.
        """
        if use.file not in self.files:
            return False
        if self.part.kind != PACKAGE:
            return True
        lines, packages = self._read_in(use.file)
        at = bisect_right(lines, use.line or 0) - 1
        if at < 0 or packages[at] is None:
            return use.package == self.part.name
        return packages[at] == self.part.number

    def _read_in(self, file: int) -> tuple[list[int], list[int | None]]:
        """The lines of a file at which another package begins, and these packages."""
        if file not in self._packages:
            entered: list[tuple[int, int | None]] = []
            for line, text in self._index.rows(sql.IN_PACKAGE_LINES, file=file):
                if (token := in_package(text)) is not None:
                    found = find_package(self._index, split_package(token, self._index.upcase))
                    entered.append((line, found.id if found is not None else None))
            self._packages[file] = [line for line, _ in entered], [package for _, package in entered]
        return self._packages[file]
