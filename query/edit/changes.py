"""Replace parts of a source file: its encoding, line ends and byte order mark stay as they are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from oblist.indexer.source_text import decoded, source_octets

from ..errors import QueryError

_BOM = "\ufeff"


class EditError(QueryError):
    """A change that cannot be made, with the reason; nothing is written."""


class Edit(NamedTuple):
    """What replaces the text between two offsets, which count characters from 0, after a byte order mark."""

    start: int
    end: int
    new: str

    def moved(self, by: int) -> Edit:
        """The same edit, with its offsets moved ``by`` characters."""
        return Edit(self.start + by, self.end + by, self.new)


@dataclass(frozen=True, slots=True)
class Change:
    """What a file contains, and what it will contain; and its new path in the same folder, if any."""

    path: Path
    before: bytes
    after: bytes
    moved_to: Path | None = None

    @property
    def target(self) -> Path:
        """The path of the file after the change."""
        return self.moved_to or self.path

    def difference(self, shown: str) -> str:
        """The change as a unified diff of the file called ``shown``."""
        before, after = (decoded(one).splitlines(keepends=True) for one in (self.before, self.after))
        new = shown.removesuffix(self.path.name) + self.target.name if self.moved_to is not None else shown
        names = (shown, new) if shown.startswith("/") else (f"a/{shown}", f"b/{new}")
        lines = unified_diff(before, after, *names, n=2)
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. Raises EditError for edits that overlap, or lie outside."""
    parts, end = [], 0
    for one in sorted(set(edits)):
        if not end <= one.start <= one.end <= len(text):
            raise EditError("two changes overlap")
        parts += [text[end : one.start], one.new]
        end = one.end
    return "".join([*parts, text[end:]])


def change_of(path: str | Path, text: str, edits: Iterable[Edit]) -> Change:
    """The change of a file by edits to its text, which must still be ``text``. Raises EditError."""
    target = Path(os.path.realpath(path))
    try:
        before = source_octets(target)
    except OSError as error:
        raise EditError(f"{path}: {error.strerror or error}") from error
    now = decoded(before)
    mark = _BOM if now.startswith(_BOM) else ""
    if now != mark + text:
        raise EditError(f"{path} has changed since it was read; nothing was written")
    after = mark + edited(text, edits)
    encoding = "utf-8" if _is_utf_8(before) else "latin-1"
    try:
        return Change(target, before, after.encode(encoding))
    except UnicodeEncodeError as error:
        what = f"{path} is in Latin-1, which cannot encode {after[error.start]!r}"
        raise EditError(f"{what}; convert it to UTF-8") from error


def _is_utf_8(octets: bytes) -> bool:
    try:
        octets.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
