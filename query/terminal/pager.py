"""A pager for more than one screen of text, chosen and run as git does."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from typing import NamedTuple

_DEFAULT = "less"
_NONE = ("", "cat")
_LESS_OPTIONS = "FRX"  # quit after one screen, show colours, leave the text on the screen


class Pager(NamedTuple):
    """A program that shows text a screen at a time, and what it gets in its environment."""

    words: list[str]
    environment: dict[str, str]

    @property
    def has_links(self) -> bool:
        """Whether it passes links on to the terminal."""
        return self.words[0].rpartition("/")[2] == _DEFAULT


def pager_for(lines: int) -> Pager | None:
    """The pager for a text of so many lines: $OBLIST_PAGER, else $PAGER, else less.

    None for a text that fits on the screen, for a pager that is empty or ``cat``, for one that is not
    installed, and for a terminal on which none works.
    """
    if lines < shutil.get_terminal_size().lines or os.environ.get("TERM", "dumb") == "dumb":
        return None
    chosen = os.environ.get("OBLIST_PAGER", os.environ.get("PAGER", _DEFAULT)).strip()
    return None if chosen in _NONE else _read(chosen)


def _read(chosen: str) -> Pager | None:
    """Take a command apart: ``LESS=R less -S`` is a program with an argument and a variable of its own."""
    try:
        words = shlex.split(chosen)
    except ValueError:
        return None
    environment = {"LESS": os.environ.get("LESS", _LESS_OPTIONS), "LV": os.environ.get("LV", "-c")}
    while words and words[0].partition("=")[0].isidentifier() and "=" in words[0]:
        name, _, environment[name] = words.pop(0).partition("=")
    return Pager(words, environment) if words and shutil.which(words[0]) else None


def show_paged(text: str, pager: Pager) -> bool:
    """Show ``text`` in ``pager`` until the person quits it; False if it could not be started.

    Quitting before the end of the text is no error. An interrupt is for the pager, which may go on: it ends
    the command only if it ended the pager.
    """
    sys.stdout.flush()
    # A function, not SIG_IGN, which the pager would inherit; an exception might lose its exit code.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        process = subprocess.Popen(
            pager.words, stdin=subprocess.PIPE, env=os.environ | pager.environment, stdout=sys.stdout
        )
        with suppress(BrokenPipeError):
            process.communicate(text.encode(sys.stdout.encoding, "backslashreplace"))
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
    if process.returncode in (-signal.SIGINT, 128 + signal.SIGINT):
        raise KeyboardInterrupt
    return True
