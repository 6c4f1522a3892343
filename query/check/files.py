"""The files that are checked, and their texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from oblist.indexer.letter_case import ListedPaths
from oblist.indexer.source_text import LISP_ENDINGS, MOST_BYTES, decoded, octets_below, source_octets

from .errors import CheckError

SOURCES = LISP_ENDINGS
MARKDOWN = (".md", ".markdown")
ORG = (".org",)
_CHECKED = (*SOURCES, *MARKDOWN, *ORG)
_MOST_SIBLINGS = 5_000
_PROJECT_MARKS = ("oblist.toml", ".git", ".hg")


def files_below(
    paths: Iterable[str], excluded: Callable[[str], bool], unreadable: dict[str, str] | None = None
) -> list[str]:
    """The files to check, each once: the named files, and the sources and documents in the named folders.

    Hidden folders are skipped; folders that cannot be read are added to ``unreadable``, with the reason.
    Raises CheckError for a path that does not exist.
    """
    found: dict[str, None] = {}
    for path in map(ListedPaths().path, paths):
        if _is(Path.is_dir, path):
            found |= dict.fromkeys(name for name in _walked(path, unreadable) if not excluded(name))
        elif _is(Path.exists, path):
            found[path] = None
        else:
            raise CheckError(f"{path}: no such file or folder.")
    return list(found)


def _is(test: Callable[[Path], bool], path: str) -> bool:
    """The result of ``test`` for a path; false for a path that no file system can have."""
    try:
        return test(Path(path))
    except (OSError, ValueError):
        return False


def _walked(folder: str, unreadable: dict[str, str] | None = None) -> Iterator[str]:
    def failed(error: OSError) -> None:
        if unreadable is not None:
            unreadable[str(error.filename)] = error.strerror or str(error)

    for parent, folders, names in os.walk(folder, onerror=failed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(_CHECKED) and not name.startswith("."):
                yield os.path.join(parent, name)  # noqa: PTH118 - keeps a leading dot


def is_document(path: str) -> bool:
    """Whether a file is a document with code in it rather than a source."""
    return path.lower().endswith((*MARKDOWN, *ORG))


def read_text(path: str) -> str:
    """The text of a file, decoded as UTF-8 or else as Latin-1. Raises OSError."""
    return _text(source_octets(path, MOST_BYTES))


def read_text_below(folder: Path, path: Path) -> str:
    """The text of a file below a folder, opened as octets_below does it. Raises OSError."""
    return _text(octets_below(folder, path, MOST_BYTES))


def _text(octets: bytes) -> str:
    return decoded(octets).removeprefix("\ufeff")


def siblings(paths: list[str], excluded: Callable[[str], bool]) -> list[str]:
    """The other sources of the projects that ``paths`` belong to, since ``paths`` may use their definitions.

    A project's folder is the nearest enclosing folder that has an oblist.toml or is under version control, or
    else the nearest one with a system definition.
    """
    known = {os.path.realpath(path) for path in paths}
    folders = {folder for path in paths if (folder := _project_folder(Path(path).absolute().parent))}
    found = []
    # As the others are written: relative to this folder, unless one of them is absolute.
    relative = not any(map(os.path.isabs, paths))
    for folder in sorted(folders):
        for path in map(os.path.normpath, _walked(os.path.relpath(folder) if relative else str(folder))):
            if path.lower().endswith(SOURCES) and os.path.realpath(path) not in known and not excluded(path):
                found.append(path)
                if len(found) >= _MOST_SIBLINGS:
                    return found
    return found


def _project_folder(folder: Path) -> Path | None:
    for candidate in (folder, *folder.parents):
        if any((candidate / mark).exists() for mark in _PROJECT_MARKS):
            return candidate
    return next((one for one in (folder, *folder.parents) if any(one.glob("*.asd"))), None)
