"""Which files are checked, and what they say."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from .errors import CheckError

SOURCES = (".lisp", ".lsp", ".cl", ".asd")
MARKDOWN = (".md", ".markdown")
ORG = (".org",)
_CHECKED = (*SOURCES, *MARKDOWN, *ORG)
MOST_BYTES = 64 * 1024 * 1024
_MOST_SIBLINGS = 5_000
_PROJECT_MARKS = ("oblist.toml", ".git", ".hg")


def files_below(
    paths: Iterable[str], excluded: Callable[[str], bool], untold: dict[str, str] | None = None
) -> list[str]:
    """The files to check: those named, and those of a known sort below the folders named, each once.

    Hidden folders are passed over; ``untold`` takes the folders that cannot be read, and why. Raises
    CheckError for a path that is not there.
    """
    found: dict[str, None] = {}
    for path in paths:
        if _is(Path.is_dir, path):
            found |= dict.fromkeys(name for name in _walked(path, untold) if not excluded(name))
        elif _is(Path.exists, path):
            found[path] = None
        else:
            raise CheckError(f"{path}: there is no such file or folder.")
    return list(found)


def _is(test: Callable[[Path], bool], path: str) -> bool:
    """What ``test`` says of a path; false for one that no file system can have."""
    try:
        return test(Path(path))
    except (OSError, ValueError):
        return False


def _walked(folder: str, untold: dict[str, str] | None = None) -> Iterator[str]:
    def failed(error: OSError) -> None:
        if untold is not None:
            untold[str(error.filename)] = error.strerror or str(error)

    for parent, folders, names in os.walk(folder, onerror=failed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(_CHECKED) and not name.startswith("."):
                yield os.path.join(parent, name)  # noqa: PTH118 - as the path was given, a dot in front too


def is_document(path: str) -> bool:
    """Whether a file is documentation with code in it, not a source."""
    return path.lower().endswith((*MARKDOWN, *ORG))


def read_text(path: str) -> str:
    """The text of a file: UTF-8, or Latin-1 where it is not; raises OSError."""
    # Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(None, "it is no regular file")
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise OSError(None, f"it is bigger than {MOST_BYTES // 1024 // 1024} MB")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.removeprefix("\ufeff")


def siblings(paths: list[str], excluded: Callable[[str], bool]) -> list[str]:
    """The other sources of the projects that ``paths`` belong to: they define what those may use.

    A project's folder is the nearest above with an oblist.toml or under version control, else the nearest
    with a system definition.
    """
    known = {os.path.realpath(path) for path in paths}
    folders = {folder for path in paths if (folder := _project_folder(Path(path).absolute().parent))}
    found = []
    for folder in sorted(folders):
        for path in _walked(str(folder)):
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
