"""The files for clients that come with oblist."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import oblist


def shipped_path(name: str) -> Path:
    """The path of a file or folder for clients."""
    return Path(str(files(oblist) / "clients" / name))


def shipped_text(name: str, program: str | None = None) -> str:
    """The text of a file for clients; ``program`` takes the place of ``oblist`` where it is started."""
    text = shipped_path(name).read_text(encoding="utf-8")
    if program is None:
        return text
    for line, quoted in _STARTING:
        if line.format("'oblist'") in text:
            return text.replace(line.format("'oblist'"), line.format(quoted(program)))
    raise AssertionError(f"{name} does not say where it starts oblist")


def _in_lua(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _in_vim(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"


# The lines that name the program, and how a string is written there.
_STARTING = (("local program = {}", _in_lua), ("'lisp_oblist_executable', {}", _in_vim))
