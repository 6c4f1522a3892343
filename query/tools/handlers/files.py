"""The handler of read_file: the text of a source file, from the index or from the project's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from oblist.indexer.source_text import octets_below

from ...api import Index
from ...index.finding.called_file import called_file
from ...index.own_folder import own_folder
from ...index.shown import shown_name
from ...questions.examples.sql import LINES
from ..budget import budget_of
from ..listing import MORE
from ..running.call import this_call

ANSWERS = ()
_MOST_BYTES = 20 * 1024 * 1024
_MOST_LINES = _MOST_BYTES
_ROOM = 200  # characters for what follows the text


class _Below(NamedTuple):
    """A folder, and a file in it; all links are followed in both paths."""

    folder: Path
    path: Path


def read_file(arguments: Mapping[str, Any]) -> str | tuple[None, str]:
    """Answer read_file: some lines of a file, or why it may not be read."""
    path, offset = arguments["path"], min(arguments["offset"], _MOST_LINES)
    limit = min(arguments["limit"] or _MOST_LINES, _MOST_LINES)
    call = this_call()
    if arguments["outline"] or arguments.get("unfold"):
        return _outlined(path, arguments.get("unfold"), offset, limit, budget_of(arguments))
    with call.index() as index:
        file = called_file(index, path)
        lines = None if file is None else _stored(index, file.number, offset, limit + 1)
    if not lines:
        found = _below(call.surroundings.projects, path)
        if found is None:
            return None, _refusal(path, call.surroundings.projects)
        try:
            text = octets_below(*found, _MOST_BYTES).decode("utf-8", "replace")
        except OSError as error:
            return None, _failure(path, error)
        lines = [line.rstrip("\n") for line in islice(StringIO(text, None), offset, offset + limit + 1)]
    return _shown(lines, offset, limit, budget_of(arguments))


def _outlined(path: str, unfold: str | None, offset: int, limit: int, budget: int) -> str | tuple[None, str]:
    """The outline of a file: as it is now if it is the project's, else as indexed."""
    from ...check.files import read_text_below  # few calls need these
    from ...refactor.forms.folded import folded
    from ...refactor.project.texts import ProjectTexts

    call = this_call()
    with call.index() as index:
        index.reopen_if_replaced()
        own = own_folder(index)
        file = called_file(index, path)
        here = None if file is None else index.local_path(file.path)
        found = _below([own], path if here is None else here) if own is not None else None
        if found is None and file is None:
            found = _below(call.surroundings.projects, path)
            if found is None:
                return None, _refusal(path, call.surroundings.projects)
        name, text = path, ""
        if found is not None:
            try:
                name, text = str(found.path), read_text_below(*found)
            except OSError as error:
                return None, _failure(path, error)
        elif file is not None:
            text = "\n".join(_stored(index, file.number, 0, _MOST_LINES))
        project = ProjectTexts(index, str(own or name), {name: text})
        is_own = own is not None and found is not None and found.path.is_relative_to(own)
        lines = folded(project.file(name), unfold, is_own=is_own)
    return _shown(lines[offset : offset + limit + 1], offset, limit, budget)


def _stored(index: Index, file: int, offset: int, most: int) -> list[str]:
    rows = index.rows(LINES, file=file, first=offset + 1, last=offset + most)
    lines = [text.removesuffix("\r") for (text,) in rows]
    if len(lines) < most and lines[-1:] == [""]:
        lines.pop()  # what follows the last newline
    return lines


def _below(folders: Sequence[Path], path: str) -> _Below | None:
    """The regular file at ``path`` if it is below one of the folders once all links are followed."""
    for folder in folders:
        try:
            root = folder.resolve(strict=True)
            found = (root / path).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            continue
        if found.is_relative_to(root) and found.is_file():
            return _Below(root, found)
    return None


def _refusal(path: str, folders: Sequence[Path]) -> str:
    below = f", and not below {' or '.join(map(str, folders))}" if folders else ""
    hint = "" if folders else " With oblist mcp --project DIR, files below DIR are read, too."
    return f"{shown_name(path)} is not a source file of this index{below}.{hint}"


def _failure(path: str, error: OSError) -> str:
    return f"{shown_name(path)} cannot be read: {error.strerror}."


def _shown(lines: list[str], offset: int, limit: int, budget: int) -> str:
    """As many of the lines as fit, and how to get those that follow."""
    kept, room = 0, budget - _ROOM
    while kept < min(len(lines), limit) and (room := room - len(lines[kept]) - 1) >= 0:
        kept += 1
    if not kept and lines:
        return f"{lines[0][: budget - _ROOM]}\n... line {offset + 1} is longer than max_chars={budget}"
    more = [f"... and more lines: {MORE.format(offset=offset + kept)}"] if kept < len(lines) else []
    return "\n".join([*lines[:kept], *more]) if lines else f"There is no line {offset + 1}."
