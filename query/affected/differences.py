"""The texts of a project before and after a change: from its files, from git, or from two indexes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from oblist.indexer.source_text import decoded

from ..check.files import SOURCES, read_text
from ..check.files import files_below as files_in
from ..index.reading import Reading
from ..processes.git import GitFolder
from .ask import TextPair
from .graph import files_below
from .sql import ProjectFileRow

Pairs = dict[str, TextPair]


def since_build(index: Reading, folder: str) -> Pairs:
    """The files below a folder as the index has them, and as they are now; only those that differ."""
    known = {row.path: row.number for row in _files(index, folder)}
    pairs = {}
    for path in index.source_states([*known]):
        pairs[path] = TextPair(index.indexed_text(known[path]) or "", _read(path))
    built = index.path.stat().st_mtime
    for path in _sources(folder):
        # What is older belongs to no system, so that the build left it out.
        if path not in known and Path(path).stat().st_mtime > built:
            pairs[path] = TextPair(None, _read(path))
    return pairs


def since_revision(folder: str, revision: str) -> Pairs:
    """The files below a folder at a revision of git, and as they are now. Raises GitError."""
    git = GitFolder(Path(folder), revision)
    pairs = {}
    for name in git.changed():
        if name.lower().endswith(SOURCES):
            content = git.content(name)
            old = None if content is None else decoded(content).removeprefix("\ufeff")
            path = os.path.join(folder, name)  # noqa: PTH118 - as the index has it
            pairs[path] = TextPair(old, _read(path))
    return pairs


def between_indexes(old: Reading, old_folder: str, new: Reading, folder: str) -> Pairs:
    """The files of two indexes of a project, by their paths in the new one."""
    before = _texts(old, old_folder, lambda path: folder + path.removeprefix(old_folder))
    after = _texts(new, folder, lambda path: path)
    return {
        path: TextPair(before.get(path), after.get(path))
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    }


def _files(index: Reading, folder: str) -> list[ProjectFileRow]:
    return [row for row in files_below(index, folder) if row.path.lower().endswith(SOURCES)]


def _texts(index: Reading, folder: str, named: Callable[[str], str]) -> dict[str, str]:
    return {named(row.path): index.indexed_text(row.number) or "" for row in _files(index, folder)}


def _sources(folder: str) -> list[str]:
    return [path for path in files_in([folder], lambda _: False) if path.lower().endswith(SOURCES)]


def _read(path: str) -> str | None:
    try:
        return read_text(path)
    except OSError:
        return None
