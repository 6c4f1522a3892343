"""Passages: the source texts of definitions, and how an answer puts them together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ...index.own_folder import own_folder
from ...index.place import SourcePlace
from ...index.reading import Reading
from ...index.shown import shown_name
from . import sql
from .answer import DefinitionPlace
from .digest import form_digest
from .sql import DefinitionPlaceRow

_SBCL = "sbcl"  # the root of SBCL's own sources, which belong to no system

_Extent = tuple[int | None, int | None, int | None]


class Passage(NamedTuple):
    """A text, and the definitions that it contains."""

    text: str
    from_source: bool
    rows: list[DefinitionPlaceRow]


def source_text(index: Reading, row: DefinitionPlaceRow) -> str | None:
    """Return the text of a definition's own form; None if its file or exact place is unknown."""
    return source_texts(index, [row])[0]


def source_texts(index: Reading, rows: Sequence[DefinitionPlaceRow]) -> list[str | None]:
    """Return the texts of the definitions' own forms, read all at once."""
    lines: dict[_Extent, list[str]] = {_extent(row): [] for row in rows}
    extents = list(lines)
    for number, line in index.rows(sql.SOURCE_TEXTS, extents=json.dumps(extents)):
        lines[extents[number]].append(line)
    texts = {extent: "\n".join(found) for extent, found in lines.items()}
    return [_own_form(row.place, texts[_extent(row)]) for row in rows]


def _extent(row: DefinitionPlaceRow) -> _Extent:
    """The file of a definition, its first line and its last."""
    return row.place.file, row.place.line, row.place.end_line


def _own_form(place: SourcePlace, lines: str) -> str | None:
    if place.column is None or place.offset is None or place.end_offset is None:
        return None
    start, length = place.column - 1, place.end_offset - place.offset
    text = lines[start : start + length]
    if len(text) != length or not text:
        return None
    return text.replace("\r\n", "\n").removesuffix("\r")


def whole_text(index: Reading, passages: list[Passage]) -> tuple[str, list[int]]:
    """Return the whole text, each passage below one comment line per definition, and where passages begin."""
    pieces: list[str] = []
    offsets: list[int] = []
    length = 0
    for passage in passages:
        comments = "".join(f"{_comment(index, row)}\n" for row in passage.rows)
        offset = length + len(comments)
        offsets.append(offset)
        pieces.append(comments + passage.text)
        length = offset + len(passage.text) + 2  # the blank line between passages
    return "\n\n".join(pieces), offsets


def _comment(index: Reading, row: DefinitionPlaceRow) -> str:
    """Make the line ``;;; kind, system version, path:line``, as far as these are known."""
    parts = [row.kind]
    system, version = _origin(index, row)
    if system:
        parts.append(" ".join(part for part in (system, version) if part))
    place = row.place.relative_path or index.local_path(row.place.path) or row.place.recorded
    if place:
        parts.append(place if row.place.line is None else f"{place}:{row.place.line}")
    return f";;; {shown_name(', '.join(parts))}"


def _origin(index: Reading, row: DefinitionPlaceRow) -> tuple[str | None, str | None]:
    """Return the system of a definition and its version; ``sbcl`` for SBCL's own definitions."""
    if row.place.system is None and row.place.root == _SBCL:
        return _SBCL, index.sbcl
    return row.place.system, row.place.system_version


def place_in(index: Reading, row: DefinitionPlaceRow, passage: Passage, offset: int) -> DefinitionPlace:
    """Return the place of a definition, whose passage begins at ``offset`` of the whole text."""
    system, version = _origin(index, row)
    return DefinitionPlace(
        kind=row.kind,
        qualifiers=row.qualifiers,
        specializers=row.specializers,
        defined_by=row.defined_by,
        system=system,
        system_version=version,
        **row.place.lines(index),
        from_source=passage.from_source,
        text_offset=offset,
        text_length=len(passage.text),
        digest=_digest(index, row, passage),
    )


def _digest(index: Reading, row: DefinitionPlaceRow, passage: Passage) -> str | None:
    """The digest of a form in a file of the index's own project; None for what nobody edits there."""
    folder, path = own_folder(index), index.local_path(row.place.path)
    is_form = passage.from_source and passage.text.startswith("(") and not passage.text.startswith("(:")
    if folder is None or path is None or not is_form or row.place.line is None:
        return None
    if not (file := Path(path)).is_relative_to(folder):
        return None
    return form_digest(str(file.relative_to(folder)), passage.text)
