"""A TAGS file for Emacs (its manual, "Tags Tables"; etc/ETAGS.EBNF in its sources).

Each file has a section: a form feed, its name and the length of the rest; then a line for each tag:
the beginning of the line it is on, DEL, its name, SOH, the number of that line and its byte offset.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..index.reading import Reading
from .output import Destination, new_file, shown_path
from .sources import SourceFile, place_of_name, qualified, shown
from .sql import PlacedRow

_MOST_TEXT = 200  # this many characters are enough to recognize a line


class WrittenTags(NamedTuple):
    """The numbers of files and definitions in a tags table, and of files that are left out."""

    files: int
    definitions: int
    without_text: int


def write_etags(index: Reading, files: Iterable[SourceFile], destination: Destination) -> WrittenTags:
    """Write the tags table. Raises ExportError.

    Files whose text is not in the index are left out: a tags table needs the text.
    """
    folder = destination.path.parent.absolute()
    number = definitions = without_text = 0
    with new_file(destination, "a tags table", _is_export) as output:
        for file in files:
            without_text += not file.lines
            tags = [tag for one in file.definitions for tag in _tags(index, file, one)]
            if not tags:
                continue
            number += 1
            definitions += len(file.definitions)
            section = b"".join(dict.fromkeys(tags))
            name = shown_path(file.path, folder).encode("utf-8", "surrogateescape")
            output.write(b"\f\n" + name + b"," + str(len(section)).encode() + b"\n" + section)
    return WrittenTags(number, definitions, without_text)


def _is_export(head: bytes) -> bool:
    """Whether a file begins as tags tables do, which do not name the program that wrote them."""
    return head.startswith(b"\f\n")


def _tags(index: Reading, file: SourceFile, one: PlacedRow) -> list[bytes]:
    """The tags of one definition: by its name, and by its name with its package."""
    if one.line > len(file.lines):
        return []
    names = [_plain(shown(index, one))]
    longer = qualified(index, one)
    if longer is not None:
        names.append(_plain(longer))
    line = file.lines[one.line - 1].removesuffix("\r")
    text = _beginning(index, line, names[0]).encode(file.encoding, "replace")
    place = f"\x01{one.line},{file.line_starts[one.line - 1]}\n".encode()
    return [text + b"\x7f" + name.encode(file.encoding, "replace") + place for name in names]


def _plain(name: str) -> str:
    """A name without the characters that are special in a tags table."""
    return "".join(char if char.isprintable() else "?" for char in name)


def _beginning(index: Reading, line: str, name: str) -> str:
    """The beginning of a line, up to the end of the name if the line has it: the text Emacs searches for."""
    place = place_of_name(index, line, name)
    text = line if place is None else line[: place[1]]
    for mark in ("\x7f", "\x01", "\f"):
        text = text.partition(mark)[0]
    return text[:_MOST_TEXT]
