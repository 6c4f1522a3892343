"""The present texts of files that have changed, remembered while they stay as they are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..named_texts import named_text
from ..reading import Reading

if TYPE_CHECKING:
    from .carried import PresentFile

_MOST_FILES = 20


def present_file(index: Reading, path: str) -> PresentFile | None:
    """The present text of a source file that has changed, compared with the indexed one.

    None if it has not changed, or either text is not there, or the index may not name it.
    """
    if index.source_states([path]).get(path) != "changed":
        return None
    from .carried import PresentFile

    known: dict[str, tuple[tuple[int, ...], PresentFile]] = index.kept.setdefault("present files", {})
    try:
        status = os.stat(path)  # noqa: PTH116 - five times as fast as Path; an answer may have many places
        state = status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
        if path in known and known[path][0] == state:
            return known[path][1]
        text = named_text(index, path)
    except OSError:
        return None
    indexed = index.indexed_text(index.source_number(path))
    if indexed is None:
        return None
    if len(known) >= _MOST_FILES:
        known.clear()
    known[path] = state, PresentFile(indexed, text)
    return known[path][1]
