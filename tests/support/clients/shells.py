"""Real shells at a pseudo-terminal, in which a key is pressed after something was typed."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from support.command import OBLIST

_SECONDS = 60.0
_BEGIN, _END = "«", "»"
_PROGRAM = f"#!/bin/sh\nprintf '{_BEGIN}%s{_END}' \"$@\"\nprintf '\\n'\n"

# How each is started without anybody's settings, and what loads the completion for the command ``show``.
SHELLS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "bind 'set bell-style none'; eval \"$(oblist completion bash)\"; complete -F _oblist_completion show",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        'autoload -Uz compinit && compinit -u -D; eval "$(oblist completion zsh)"; compdef _oblist show',
    ),
    "fish": (
        ["fish", "--no-config", "-i"],
        "oblist completion fish | source; complete --command show --no-files --keep-order "
        "--arguments '(__oblist_complete)'",
    ),
}


def completed(shell: str, typed: str, folder: Path, index: Path) -> list[str]:
    """The words that a command gets once what was ``typed`` after its name has been completed by one tab."""
    program = folder / "show"
    program.write_text(_PROGRAM)
    program.chmod(0o755)
    command, load = SHELLS[shell]
    environment = {
        **os.environ,
        "PATH": f"{folder}:{Path(OBLIST).parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "OBLIST_INDEX": str(index),
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
    }
    ours, theirs = pty.openpty()
    own_terminal = ["setsid", "--ctty", *command]  # which fish wants
    with subprocess.Popen(
        own_terminal, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=folder
    ) as process:
        os.close(theirs)
        try:
            os.write(ours, f"{load}; show ready\r".encode())
            _words(ours, "ready")
            os.write(ours, f"show {typed}\t".encode())
            time.sleep(0.2)  # zsh takes what comes at once for something pasted
            os.write(ours, b"\r")
            return _words(ours, None)
        finally:
            process.kill()
            os.close(ours)


def _words(terminal: int, first: str | None) -> list[str]:
    """What the program has printed, the next time that its first word is ``first``, or whatever that is."""
    shown, deadline = b"", time.monotonic() + _SECONDS
    pattern = re.compile(f"{_BEGIN}([^{_BEGIN}{_END}]*){_END}")
    while (left := deadline - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            with suppress(OSError):
                shown += os.read(terminal, 1 << 16)
        for line in shown.decode(errors="replace").split("\n")[:-1]:
            words = pattern.findall(line)
            if words and (first is None or words[0] == first):
                return words
    raise AssertionError(shown.decode(errors="replace"))
