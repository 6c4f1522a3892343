"""What every case must keep to: it ends, writes only where it may, starts nothing, and logs no bug."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SECONDS = 20.0
"""How much time of a processor a case may take: so much is never a slow machine."""
WAITING_SECONDS = 120.0
"""How long a case may wait, where nothing else stops it."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_CHANGING = {
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.truncate",
    "os.link",
    "os.symlink",
    "os.chmod",
}
_STARTING = {"subprocess.Popen", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.system"}
_REACHING = {"socket.connect", "socket.bind", "socket.getaddrinfo"}


class _OverTimeError(BaseException):
    """Raised within a case that does not end; no handler of errors should take it for one of its own."""


class _Watched(logging.Handler):
    """Notes what a case does that it may not, while there is one."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.folder: Path | None = None
        self.starts: Sequence[str] = ()
        self.seen: list[str] = []
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.folder is None:
            return
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & _WRITING and not isinstance(path, int):
                self._changed(event, path)
        elif event in _CHANGING:
            folder = arguments[-1]  # the descriptor of that which the path is relative to
            known = isinstance(folder, int) and folder >= 0
            within = Path(f"/proc/self/fd/{folder}").readlink() if known else Path.cwd()
            self._changed(event, within / os.fsdecode(arguments[0]))
        elif event == "subprocess.Popen" and Path(os.fsdecode(arguments[0])).name in self.starts:
            pass
        elif event in _STARTING or event in _REACHING:
            self.seen.append(f"{event} {arguments!r:.200}")

    def _changed(self, event: str, path: Any) -> None:
        shown = str(path) if isinstance(path, int) else os.path.normpath(Path.cwd() / os.fsdecode(path))
        own = shown == os.devnull or "/__pycache__" in shown  # Python's, of modules that are imported late
        if not own and self.folder is not None and not Path(shown).is_relative_to(self.folder):
            self.seen.append(f"{event} {shown}")

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error that is logged as a bug."""
        if record.exc_info or "a bug in oblist" in record.getMessage():
            self.seen.append(f"logged: {record.getMessage()} {record.exc_info and record.exc_info[1]!r}")


_watched: list[_Watched] = []


@contextmanager
def guarded(folder: Path, starts: Sequence[str] = (), *, waiting: bool = False) -> Iterator[None]:
    """A context for one case, which may write below ``folder``, and start the programs ``starts``.

    With ``waiting``, it may not wait for long either; in a test, that is the business of pytest-timeout.
    """
    if not _watched:
        _watched.append(_Watched())
    watched = _watched[0]
    watched.folder, watched.starts, watched.seen = folder, starts, []
    logging.getLogger("oblist").addHandler(watched)
    timers = [(signal.ITIMER_PROF, signal.SIGPROF, SECONDS)]
    timers += [(signal.ITIMER_REAL, signal.SIGALRM, WAITING_SECONDS)] if waiting else []
    before = [signal.signal(number, _over) for _, number, _ in timers]
    for timer, _, seconds in timers:
        signal.setitimer(timer, seconds, 1.0)
    try:
        yield
    except _OverTimeError:
        raise AssertionError(f"it took more than {SECONDS:g} s, or waited {WAITING_SECONDS:g} s") from None
    finally:
        for (timer, number, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)
        logging.getLogger("oblist").removeHandler(watched)
        watched.folder = None
    assert not watched.seen, watched.seen


def _over(*_: object) -> None:
    raise _OverTimeError
