"""Programs that are dear to start, each behind a script that counts its starts.

The scripts come first on the PATH of the tests and of all that they start. Each adds a line to a file: its
kinds, a tab, and on whose behalf it was started.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from support.checkout import CACHE

# The environment variables that name the file, and on whose behalf a process works.
FILE, CAUSE = "TESTS_STARTS", "TESTS_STARTED_FOR"
# Where the file is when a test, or the SDK's client, gives a process another environment.
FILE_IN_HOME = "starts"
KINDS = ("sbcl", "builds", "processes", "chromium", "dask")

# The words of a command line, and the variables, of an SBCL that makes records of what it has loaded.
_SBCL = """kinds=sbcl
case "$*" in
    *--version) exec {program} "$@" ;; # which starts no image
    *oblist::begin*) kinds="sbcl builds" ;;
    *--core*) [ -z "$OBLIST_DUMPER" ] || kinds="sbcl builds" ;;
esac"""
_SCRIPT = """#!/bin/sh
{kinds}
for file in "${file}" "$HOME/{in_home}"; do
    if [ -w "$file" ]; then
        printf '%s\\t%s\\n' "$kinds" "${cause}" >>"$file"
        break
    fi
done
exec {program} "$@"
"""


def _counted(name: str, kinds: str, program: str) -> Path:
    """The script that counts a start of ``program`` and becomes it.

    It is written only when it has changed, since its time of change is part of what caches depend on.
    """
    text = _SCRIPT.replace("{kinds}", kinds).format(
        program=shlex.quote(program), file=FILE, in_home=FILE_IN_HOME, cause=CAUSE
    )
    script = CACHE / "counted" / name
    script.parent.mkdir(parents=True, exist_ok=True)
    if not script.exists() or script.read_text() != text:
        beside = script.with_name(f".{name}-{os.getpid()}")
        beside.write_text(text)
        beside.chmod(0o755)
        beside.replace(script)
    return script


def count_starts(home: Path) -> None:
    """Count, from now on, what this process and its children start, in a file in ``home``."""
    sbcl = shutil.which(os.environ.get("SBCL") or "sbcl")
    chromium = shutil.which("chromium")
    commands = Path(sys.executable).parent
    if sbcl:
        script = _counted("sbcl", _SBCL, sbcl)
        if "SBCL" in os.environ:
            os.environ["SBCL"] = str(script)
    if chromium:
        _counted("chromium", "kinds=chromium", chromium)
    _counted("dask", "kinds=dask", str(commands / "dask"))
    oblist = _counted("oblist", "kinds=processes", str(commands / "oblist"))
    os.environ["PATH"] = f"{oblist.parent}{os.pathsep}{os.environ['PATH']}"
    file = home / FILE_IN_HOME
    file.touch()
    os.environ[FILE] = str(file)


def counted_program(name: str) -> str:
    """The script that counts the starts of a program of this Python's environment."""
    return str(CACHE / "counted" / name)
