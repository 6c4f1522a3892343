"""An isolated environment for the tests: nothing of the caller's reaches the processes they start."""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
from pathlib import Path

from support.checkout import CACHE
from support.starts.programs import count_starts

_CLEARED = re.compile(
    r"(OBLIST|SBCL|CL|ASDF|QUICKLISP|QL|XDG|PYTHON|GIT|LC|DASK|FSSPEC|AWS)_?\w+"
    r"|LANG|LANGUAGE|TZ|TERM|PAGER|LESS|LV|COLUMNS|LINES|NO_COLOR|(CLI|FORCE_|CLICOLOR_)COLOR\w*"
)
# The caller says which SBCL is tested, and where published schemas are.
_SAID = {"SBCL", "OBLIST_SCHEMAS"}
# Folders of the caller's home that hold installed packages, or say where packages are installed from.
_LENT = (
    ".config/pip",
    ".pip",
    ".cache/pip",
    ".cache/oblist-inspector",
    ".cache/oblist-editors",
    ".cache/oblist-clients",
    ".cache/oblist-vscode",
    ".cache/oblist-code-server",
    ".cache/oblist-processors",
)
_FOLDERS = {
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
}
# Where Debian's libraries are, but for another ASDF, which would take the place of SBCL's in each image. A
# test that has systems of its own puts its folder before them: CL_SOURCE_REGISTRY="folder:".
_REGISTRY = """(:source-registry (:also-exclude "cl-asdf") (:tree "/usr/share/common-lisp/source/")
                :ignore-inherited-configuration)"""
_REGISTRY_FILE = ".config/common-lisp/source-registry.conf"


def enter() -> Path | None:
    """Make this process, and all that it starts, independent of its surroundings.

    The result is the home that was made, which is the caller's to remove; None in a process whose parent
    has one for it.
    """
    _default_signals()
    os.umask(0o022)
    if "PYTEST_XDIST_WORKER" in os.environ:
        return None
    home = Path(tempfile.mkdtemp(prefix="tests-home-")).resolve()
    lent = {name: _callers(name) for name in _LENT}
    for name in list(os.environ):
        if _CLEARED.fullmatch(name) and name not in _SAID:
            del os.environ[name]
    for variable, name in _FOLDERS.items():
        (home / name).mkdir(parents=True, mode=0o700)
        os.environ[variable] = str(home / name)
    for name, folder in lent.items():
        if folder.is_dir():
            (home / name).symlink_to(folder)
    # What ASDF compiles of libraries, for later runs too.
    (CACHE / "common-lisp").mkdir(parents=True, exist_ok=True)
    (home / ".cache" / "common-lisp").symlink_to(CACHE / "common-lisp")
    os.environ.update(
        HOME=str(home),
        XDG_DATA_DIRS="/usr/share",
        XDG_CONFIG_DIRS=str(home / "none"),
        LC_ALL="C.UTF-8",
    )
    (home / _REGISTRY_FILE).parent.mkdir()
    (home / _REGISTRY_FILE).write_text(_REGISTRY)
    count_starts(home)
    return home


def leave(home: Path) -> None:
    """Remove the home."""
    shutil.rmtree(home, ignore_errors=True)


def _default_signals() -> None:
    """Restore signals that a parent ignored or blocked, as shells do for background processes."""
    for number in signal.valid_signals():
        # Python itself ignores these two, and gives them back to what it starts.
        if signal.getsignal(number) is signal.SIG_IGN and number not in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _callers(name: str) -> Path:
    """A folder of the caller's home, wherever the XDG variables put it."""
    for variable, folder in _FOLDERS.items():
        if name.startswith(f"{folder}/") and os.environ.get(variable):
            return Path(os.environ[variable], name.removeprefix(f"{folder}/"))
    return Path.home() / name
