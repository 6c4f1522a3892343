"""What an SBCL that loads is doing now, from what it prints."""

from __future__ import annotations

import re

from oblist.lisp.images import LOADING_MARK

_TO_LOAD = ";;; oblist: systems to load: "  # lisp/prepare/load.lisp says so
_COMPILING = re.compile(r'; compiling file "(?:.*/)?([^"/]+)"')
_SYSTEM = "system "


class LoadingLog:
    """Follows what SBCL prints while it loads; ``text`` says what it is doing now, in a few words."""

    def __init__(self) -> None:
        self._rest = ""
        self._total = ""
        self._system = 0
        self._what = ""
        self._file = ""

    def add(self, printed: str) -> None:
        """Take in what was printed since the last time."""
        *lines, self._rest = (self._rest + printed).split("\n")
        for line in lines:
            # What was loaded before may have printed an unfinished line.
            if _TO_LOAD in line:
                self._total = line.rpartition(_TO_LOAD)[2]
            elif LOADING_MARK in line:
                self._what = line.rpartition(LOADING_MARK)[2]
                self._file = ""
                self._system += self._what.startswith(_SYSTEM)
            elif compiling := _COMPILING.match(line):
                self._file = compiling[1]

    @property
    def text(self) -> str:
        """What is being loaded, which system of how many that is, and which file is being compiled."""
        number = f" ({self._system} of {self._total})" if self._total and self._is_system else ""
        compiling = f", compiling {self._file}" if self._file else ""
        return f"loading {self._what}{number}{compiling}" if self._what else "starting SBCL"

    @property
    def _is_system(self) -> bool:
        return self._what.startswith(_SYSTEM)
