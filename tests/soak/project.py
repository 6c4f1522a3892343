"""A project of real libraries, which somebody edits all the time."""

from __future__ import annotations

import random
import shutil
import threading
from pathlib import Path

_SOURCES = Path("/usr/share/common-lisp/source")
_LIBRARIES = ("alexandria", "cl-ppcre", "chipz", "kmrcl", "iterate", "closer-mop", "md5", "cl-split-sequence")
_LEAST, _MOST = 20, 100


class NoLibrariesError(Exception):
    """This machine has no libraries to copy."""


def copied_project(folder: Path) -> list[Path]:
    """Copy installed libraries into a new folder; return their Lisp files."""
    folder.mkdir()
    files: list[Path] = []
    for name in _LIBRARIES:
        if (_SOURCES / name).is_dir() and len(files) < _MOST:
            shutil.copytree(_SOURCES / name, folder / name, symlinks=False)
            files += sorted((folder / name).rglob("*.lisp"))
    if len(files) < _LEAST:
        raise NoLibrariesError(
            f"There are too few libraries in {_SOURCES}; `make setup-tests` installs some."
        )
    return files


class Editing(threading.Thread):
    """Changes a file, and changes it back, once every so many seconds, until it is told to end."""

    def __init__(self, files: list[Path], seconds: float, seed: int) -> None:
        super().__init__(daemon=True)
        self.edits = 0
        self.ended = threading.Event()
        self._files, self._seconds, self._draw = files, seconds, random.Random(seed)

    def run(self) -> None:
        """Edit: a comment, a definition more, and now and then what does not load."""
        while not self.ended.wait(self._seconds):
            path = self._draw.choice(self._files)
            text = path.read_bytes()
            added = self._draw.choice(
                [
                    f"\n;; edit {self.edits}\n",
                    f"\n(defun soak-{self.edits} (x) (list x))\n",
                    "\n(defun broken (\n",
                ]
            )
            path.write_bytes(text + added.encode())
            self.edits += 1
            if self.ended.wait(self._seconds):
                break
            path.write_bytes(text)
