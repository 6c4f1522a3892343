"""The list of our Lisp sources, read from ``oblist.asd``."""

from __future__ import annotations

import shlex
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
SYSTEMS = SOURCES / "oblist.asd"


def source_files() -> list[Path]:
    """The Lisp files that ``oblist.asd`` names, in its order, including those that are never loaded."""
    files: list[Path] = []
    folders: list[str] = []  # for each open parenthesis, the module that it defines, or none
    option = ""
    for word in _words(SYSTEMS.read_text(encoding="utf-8")):
        if word == "(":
            folders.append("")
        elif word == ")":
            folders.pop()
        elif option == ":module":
            folders[-1] = word
        elif option in {":file", ":static-file"}:
            name = word if option == ":static-file" else f"{word}.lisp"
            files.append(SOURCES.joinpath(*folders, name))
        option = word
    return files


def _words(text: str) -> shlex.shlex:
    """The parentheses, strings and symbols in ``text``, in order; strings without quotes."""
    words = shlex.shlex(text, posix=True)
    words.commenters, words.quotes, words.escape = ";", '"', ""
    words.wordchars += ":/-."
    return words
