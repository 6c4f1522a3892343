"""Start, ask and end an SBCL as a child process (its side: lisp/serve/live.lisp)."""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

from .build_records import BuildRecord, BuildRecords, runs_still, server_beside
from .descendants import OwnedProcess, stop
from .sbcl import SbclError, ending_with_us

HEAP_OPTIONS = ["--dynamic-space-size", "2048"]  # MB, beyond the core, for print functions
_CORE_SECONDS = 10.0
_LOADING_SECONDS = 600.0
_READ_BYTES = 1 << 16
_MOST_REPLY_BYTES = 1 << 20
_ESCAPED = re.compile(r"[\\\t\n\r]")
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_UNESCAPED = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPES = {"t": "\t", "n": "\n", "r": "\r"}


class ChildGoneError(Exception):
    """The child ended, or sent something other than a reply."""


class ChildLateError(Exception):
    """The child did not reply in time."""


class NoCoreError(Exception):
    """There is no core to start; the text says why."""


class LispChild:
    """An SBCL that replies to lines; only one thread at a time may use it.

    The kernel ends it with the thread that started it, and it exits at the end of its requests.
    """

    GREETING = "ready"

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path | None) -> None:
        request_read, self._requests = os.pipe()
        self._replies, reply_write = os.pipe()
        try:
            self._process = OwnedProcess(
                ending_with_us(command),
                {
                    **os.environ,
                    **environment,
                    "OBLIST_EVALUATOR": environment.get("OBLIST_EVALUATOR", ""),  # ours alone to set
                    "OBLIST_REQUESTS": str(request_read),
                    "OBLIST_REPLIES": str(reply_write),
                },
                folder,
                output=subprocess.DEVNULL,
                errors=subprocess.DEVNULL,
                descriptors=[request_read, reply_write],
            )
        except OSError as error:
            os.close(self._requests)
            os.close(self._replies)
            raise SbclError(f"SBCL does not start: {error}") from error
        finally:
            os.close(request_read)
            os.close(reply_write)
        os.set_blocking(self._requests, False)
        self._rest = b""

    def greeting(self, seconds: float) -> tuple[str, int]:
        """Wait at most ``seconds`` for the greeting: the SBCL version, and how many things did not load."""
        match self._reply(time.monotonic() + seconds):
            case [self.GREETING, version, not_loaded] if not_loaded.isdecimal():
                return version, int(not_loaded)
        raise ChildGoneError("it sent no greeting")

    def exchange(self, request: list[str], seconds: float) -> tuple[str, str]:
        """Send the fields ``request``; return the kind and text of the reply, which may take ``seconds``.

        Raises ChildGoneError and ChildLateError; the child cannot be used after either.
        """
        deadline = time.monotonic() + seconds
        self._send(
            "\t".join(_escape(field) for field in request).encode("utf-8", "replace") + b"\n", deadline
        )
        match self._reply(deadline):
            case [kind, text]:
                return kind, text
        raise ChildGoneError("it sent something that is not a reply")

    def has_ended(self) -> bool:
        """Whether the child has exited on its own."""
        return self._process.poll() is not None

    def kill(self) -> None:
        """End the child at once; a thread that waits for its reply gets ChildGoneError."""
        stop(self._process)

    def close(self) -> None:
        """End the child and its process group."""
        for descriptor in (self._requests, self._replies):
            with suppress(OSError):
                os.close(descriptor)
        stop(self._process)

    def _send(self, line: bytes, deadline: float) -> None:
        """Write all of ``line``, which may not fit into the pipe at once."""
        while line:
            _await(self._requests, select.POLLOUT, deadline)
            try:
                line = line[os.write(self._requests, line) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise ChildGoneError("it has ended") from error

    def _reply(self, deadline: float) -> list[str]:
        """The fields of the next line."""
        while b"\n" not in self._rest:
            _await(self._replies, select.POLLIN, deadline)
            chunk = os.read(self._replies, _READ_BYTES)
            self._rest += chunk
            if not chunk or len(self._rest) > _MOST_REPLY_BYTES:
                raise ChildGoneError("it has ended")
        line, _, self._rest = self._rest.partition(b"\n")
        return [_unescape(field) for field in line.decode("utf-8", "replace").split("\t")]


class LiveChild(LispChild):
    """An SBCL that reports values, by package and name."""

    def ask(self, package: str, name: str, seconds: float) -> tuple[str, str]:
        """Ask for the value of the symbol ``name`` of ``package``; return the kind and text of the answer.

        ANSWER-REQUEST in lisp/serve/live.lisp has the kinds; raises what ``exchange`` raises.
        """
        return self.exchange([package, name], seconds)


Child = TypeVar("Child", bound=LispChild)


class ImageChild(Generic[Child]):
    """The image of a build as a child, started from the core that the build saved.

    Only a Lisp that evaluates may also be started ``by_loading`` the systems again: that runs whatever
    their sources contain now, which a read must not do.

    Only one thread may call ``start`` and ``drop``; any thread may call ``kill``.
    """

    def __init__(
        self,
        records: BuildRecords,
        record: BuildRecord,
        from_core: Callable[[BuildRecord, Path], Child],
        by_loading: Callable[[BuildRecord], Child] | None = None,
    ) -> None:
        self._records = records
        self._record = record
        self._start_core = from_core
        self._load = by_loading
        self._killed = False
        self.child: Child | None = None
        self.note: str | None = None

    def start(self) -> Child:
        """Start the child and wait for its greeting; ``note`` then says what differs from the build.

        Raises NoCoreError, SbclError, ChildGoneError, ChildLateError and OSError.
        """
        record, words = self._record, []
        if not Path(record.sbcl).exists():
            raise SbclError(f"{record.sbcl}, which built the index, no longer exists")
        core, why = self._core()
        started = self._from_core(core) if core else None
        if core and not started:
            why = "the saved image of the index does not start"
        if started is None:
            started = self._by_loading(why)
            words.append(f"{why}, so the systems were loaded again")
        child, (version, not_loaded) = started
        if version != record.sbcl_version:
            words.append(f"the value is from SBCL {version}, the index from {record.sbcl_version}")
        if not_loaded:
            words.append(f"{not_loaded} of the systems and files of the build did not load")
        self.note = "; ".join(words) or None
        return child

    def _core(self) -> tuple[Path | None, str]:
        """The core to start, or None and the reason why there is none."""
        record = self._record
        if not runs_still(record):
            return None, f"{record.sbcl} has changed since the index was built"
        core = self._records.core(record.build_id)
        if core is not None:
            self._records.note_use(record.build_id)
            return core, ""
        if record.no_core is not None:
            return None, f"the build of the index could not save the image: {record.no_core}"
        return None, "the saved image was removed" if record.snapshot else "the build saved no image"

    def kill(self) -> None:
        """End the child at once, even while it starts; it must be dropped afterwards."""
        self._killed = True
        if (child := self.child) is not None:
            child.kill()

    def drop(self) -> None:
        """Close the child, if there is one."""
        child, self.child = self.child, None
        self._killed = False
        if child is not None:
            child.close()

    def _from_core(self, core: Path) -> tuple[Child, tuple[str, int]] | None:
        """Start a child from the snapshot; return it and its greeting, or None when it does not start.

        The file is kept: the cause may be a limit of this process.
        """
        try:
            return self._greeted(self._start_core(self._record, core), _CORE_SECONDS)
        except (ChildGoneError, ChildLateError):
            if self._killed:
                raise
            self.drop()
            return None

    def _by_loading(self, why: str) -> tuple[Child, tuple[str, int]]:
        """Start a child by loading, or raise NoCoreError, with the reason ``why`` there is no core."""
        if self._load is None:
            raise NoCoreError(why)
        return self._greeted(self._load(self._record), _LOADING_SECONDS)

    def _greeted(self, child: Child, seconds: float) -> tuple[Child, tuple[str, int]]:
        self.child = child
        if self._killed:
            child.kill()
        return child, child.greeting(seconds)


def core_command(record: BuildRecord, core: Path, *more: str) -> list[str]:
    """The command that starts a ``core`` of that build, with ``more`` runtime options."""
    options = ["--core", str(core), "--noinform", "--disable-ldb", *more, *HEAP_OPTIONS]
    return [record.sbcl, *options, "--end-runtime-options"]


def core_environment(core: Path) -> dict[str, str]:
    """The environment in which a ``core`` starts: that of a layer loads our code, which is beside it."""
    server = server_beside(core)
    return {"OBLIST_VALUES": str(server) if server.exists() else ""}


def start_from_core(record: BuildRecord, core: Path) -> LiveChild:
    """Start the snapshot of a build; raises SbclError."""
    return LiveChild(core_command(record, core, "--lose-on-corruption"), core_environment(core), None)


def _await(descriptor: int, event: int, deadline: float) -> None:
    """Wait until ``descriptor`` is ready or closed; raises ChildLateError."""
    poller = select.poll()  # select.select takes no descriptors above 1023
    poller.register(descriptor, event)
    if not poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise ChildLateError


def _escape(text: str) -> str:
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text)


def _unescape(text: str) -> str:
    return _UNESCAPED.sub(lambda match: _UNESCAPES.get(match[1], match[1]), text) if "\\" in text else text
