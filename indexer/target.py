"""Where a command may write: nothing that it did not write itself is replaced; standard library only.

Every command that writes a file asks here first, and once more before it puts the new file in place.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from .format import APPLICATION_ID, read_file_header

_HEAD_BYTES = 4096
_OTHER_PATH = "Choose another path."
# How files begin that people would miss.
_MAGIC = (
    (b"\x7fELF", "a program"),
    (b"#!", "a script"),
    (b"# FASL", "a compiled Lisp file"),
    (b"LCBS", "an SBCL core"),
    (b"SBCL", "an SBCL core"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"PK\x03\x04", "an archive"),
    (b"\x1f\x8b", "a compressed file"),
    (b"\xfd7zXZ", "a compressed file"),
    (b"\x28\xb5\x2f\xfd", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"!_TAG_", "a tags file"),
    (b"\f\n", "a tags table"),
    (b"!<arch>", "an archive"),
)
_SUFFIXES = {
    **dict.fromkeys((".lisp", ".lsp", ".cl", ".asd", ".sexp"), "Lisp source"),
    **dict.fromkeys((".md", ".org", ".rst", ".txt", ".tex"), "a document"),
    **dict.fromkeys((".json", ".toml", ".yaml", ".yml", ".ini", ".cfg"), "a settings or data file"),
    **dict.fromkeys((".html", ".htm", ".css", ".js"), "a web page or a part of one"),
}


class TargetError(Exception):
    """The file may not be replaced; the message says what it is and what to do."""


def target(path: Path, what: str, is_ours: Callable[[Path], bool], *, overwrite: bool | None = False) -> Path:
    """Return the file to replace with a new one: ``path``, or what it links to, which need not exist yet.

    ``what`` names the file to be written, such as ``an index``; ``is_ours`` tells whether an existing file is
    one. With ``overwrite`` any regular file may be replaced; None if the command has no such option. Raises
    TargetError for anything else, and OSError if the path cannot be examined.
    """
    if not os.path.lexists(path):
        return path
    if path.is_symlink() and not path.exists():
        raise TargetError(f"{path} is a link to {path.readlink()}, which does not exist. {_OTHER_PATH}")
    file = path.resolve()
    kind = _kind(file.stat().st_mode)
    if kind is not None:
        raise TargetError(f"{path} is {kind}, not {what}. {_OTHER_PATH}")
    if not overwrite and not is_ours(file):
        or_else = "" if overwrite is None else ", or replace it with --overwrite"
        found = f"{path} already exists and is {appearance(file)}, not {what}."
        raise TargetError(f"{found} {_OTHER_PATH[:-1]}{or_else}.")
    return file


def _kind(mode: int) -> str | None:
    """The kind of anything but a regular file."""
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def is_index(path: Path) -> bool:
    """Whether the file at ``path`` is an oblist index, of any version, whole or damaged."""
    header = read_file_header(path)
    return header is not None and header.application_id == APPLICATION_ID


def index_target(path: Path, *, overwrite: bool = False) -> Path:
    """Return the file that an index at ``path`` replaces; raises TargetError and OSError."""
    return target(path, "an oblist index", is_index, overwrite=overwrite)


def head(path: Path) -> bytes:
    """The first bytes of the file at ``path``."""
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES)


def appearance(path: Path) -> str:
    """What the regular file at ``path`` looks to be, for a message: ``Lisp source``, ``a picture``."""
    try:
        start = head(path)
    except OSError:
        return "a file that cannot be read"
    if not start:
        return "an empty file"
    if (header := read_file_header(path)) is not None:
        return "an oblist index" if header.application_id == APPLICATION_ID else "an SQLite database"
    for magic, what in _MAGIC:
        if start.startswith(magic):
            return what
    if b"\0" in start:
        return "binary data"
    return _SUFFIXES.get(path.suffix.lower(), "a text file")
