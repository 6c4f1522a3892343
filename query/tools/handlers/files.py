"""The handler of read_file: the text of a source file, from the index or from the project's folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ...api import Index
from ...index.finding.called_file import called_file
from ...index.own_folder import own_folder
from ...index.shown import shown_name
from ...questions.examples.sql import LINES
from ..budget import budget_of
from ..listing import MORE
from ..running.call import this_call

ANSWERS = ()
_MOST_BYTES = 20_000_000
_MOST_LINES = _MOST_BYTES
_ROOM = 200  # characters for what follows the text


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
            lines = _read(found, offset, limit + 1)
        except OSError as error:
            return None, f"{shown_name(path)} cannot be read: {error.strerror}."
    return _shown(lines, offset, limit, budget_of(arguments))


def _outlined(path: str, unfold: str | None, offset: int, limit: int, budget: int) -> str | tuple[None, str]:
    """The outline of a file: as it is now if it is the project's, else as indexed."""
    from ...refactor.errors import RefactorError  # few calls need it
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
        texts = {}
        if found is None and file is not None:
            texts = {path: "\n".join(_stored(index, file.number, 0, _MOST_LINES))}
        project = ProjectTexts(index, str(own or found or path), texts)
        try:
            one = project.file(path if found is None else str(found))
        except RefactorError as error:
            return None, f"{error}."
        lines = folded(
            one, unfold, is_own=found is not None and own is not None and found.is_relative_to(own)
        )
    return _shown(lines[offset : offset + limit + 1], offset, limit, budget)


def _stored(index: Index, file: int, offset: int, most: int) -> list[str]:
    rows = index.rows(LINES, file=file, first=offset + 1, last=offset + most)
    lines = [text.removesuffix("\r") for (text,) in rows]
    if len(lines) < most and lines[-1:] == [""]:
        lines.pop()  # what follows the last newline
    return lines


def _below(folders: Sequence[Path], path: str) -> Path | None:
    """The regular file at ``path`` if it is below one of the folders once all links are followed."""
    for folder in folders:
        try:
            root = folder.resolve(strict=True)
            found = (root / path).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            continue
        if found.is_relative_to(root) and found.is_file():
            return found
    return None


def _refusal(path: str, folders: Sequence[Path]) -> str:
    below = f" nor below {' or '.join(map(str, folders))}" if folders else ""
    hint = "" if folders else " With oblist mcp --project DIR, files below DIR are read, too."
    return f"{shown_name(path)} is not a source file of this index{below}.{hint}"


def _read(path: Path, offset: int, most: int) -> list[str]:
    # What was a regular file a moment ago may be a pipe now, which must not block, or a link.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, encoding="utf-8", errors="replace") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > _MOST_BYTES:
            raise OSError(0, f"it is not a regular file of at most {_MOST_BYTES // 1_000_000} MB")
        return [line.rstrip("\r\n") for line in islice(file, offset, offset + most)]


def _shown(lines: list[str], offset: int, limit: int, budget: int) -> str:
    """As many of the lines as fit, and how to get those that follow."""
    kept, room = 0, budget - _ROOM
    while kept < min(len(lines), limit) and (room := room - len(lines[kept]) - 1) >= 0:
        kept += 1
    if not kept and lines:
        return f"{lines[0][: budget - _ROOM]}\n... line {offset + 1} is longer than max_chars={budget}"
    more = [f"... and more lines: {MORE.format(offset=offset + kept)}"] if kept < len(lines) else []
    return "\n".join([*lines[:kept], *more]) if lines else f"There is no line {offset + 1}."
