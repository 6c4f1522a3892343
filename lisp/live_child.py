"""The SBCL that answers for values: start it, ask it, end it (lisp/live.lisp is its side)."""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from .build_records import BuildRecord
from .sbcl import (
    PREPARE,
    SERVER,
    SbclError,
    compiled_code,
    ending_with_us,
    find_sbcl,
    load_form,
    sbcl_arguments,
    stop,
)

_HEAP_MEGABYTES = 2048  # beyond the core: what a print function may use up
_READ_BYTES = 1 << 16
_MOST_REPLY_BYTES = 1 << 20
_ESCAPED = re.compile(r"[\\\t\n\r]")
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_UNESCAPED = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPES = {"t": "\t", "n": "\n", "r": "\r"}


class ChildGoneError(Exception):
    """The child ended, or sent what is no reply."""


class ChildLateError(Exception):
    """The child did not reply in time."""


class LiveChild:
    """One SBCL, asked by package and name. Not for several threads at once.

    The kernel ends it with the thread that started it, and it ends itself when its requests end.
    """

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path | None) -> None:
        request_read, self._requests = os.pipe()
        self._replies, reply_write = os.pipe()
        try:
            self._process = subprocess.Popen(
                ending_with_us(command),
                env={
                    **os.environ,
                    **environment,
                    "OBLIST_REQUESTS": str(request_read),
                    "OBLIST_REPLIES": str(reply_write),
                },
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(request_read, reply_write),
                start_new_session=True,
            )
        except OSError as error:
            os.close(self._requests)
            os.close(self._replies)
            raise SbclError(f"SBCL does not start: {error}") from error
        finally:
            os.close(request_read)
            os.close(reply_write)
        self._rest = b""

    def greeting(self, seconds: float) -> tuple[str, int]:
        """The child's SBCL version and how many things did not load; it may take ``seconds``."""
        match self._reply(seconds):
            case ["ready", version, not_loaded] if not_loaded.isdecimal():
                return version, int(not_loaded)
        raise ChildGoneError("it sent no greeting")

    def ask(self, package: str, name: str, seconds: float) -> tuple[str, str]:
        """The kind and the text of the answer about the symbol ``name`` of ``package``.

        The kinds are those of ANSWER-REQUEST in lisp/live.lisp. Raises ChildGoneError and
        ChildLateError; the child is of no use after either.
        """
        try:
            os.write(self._requests, f"{_escape(package)}\t{_escape(name)}\n".encode("utf-8", "replace"))
        except OSError as error:
            raise ChildGoneError("it has ended") from error
        match self._reply(seconds):
            case [kind, text]:
                return kind, text
        raise ChildGoneError("it sent what is no reply")

    def kill(self) -> None:
        """End the child at once; whoever waits for its reply learns that it is gone."""
        stop(self._process)

    def close(self) -> None:
        """End the child and its process group."""
        for descriptor in (self._requests, self._replies):
            with suppress(OSError):
                os.close(descriptor)
        stop(self._process)

    def _reply(self, seconds: float) -> list[str]:
        """The fields of the next line."""
        deadline = time.monotonic() + seconds
        poller = select.poll()  # SELECT takes no descriptors beyond 1023
        poller.register(self._replies, select.POLLIN)
        while b"\n" not in self._rest:
            if not poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise ChildLateError
            chunk = os.read(self._replies, _READ_BYTES)
            self._rest += chunk
            if not chunk or len(self._rest) > _MOST_REPLY_BYTES:
                raise ChildGoneError("it has ended")
        line, _, self._rest = self._rest.partition(b"\n")
        return [_unescape(field) for field in line.decode("utf-8", "replace").split("\t")]


def start_from_core(record: BuildRecord, core: Path) -> LiveChild:
    """Start the snapshot of a build; SbclError."""
    command = [record.sbcl, "--core", str(core), "--noinform", "--disable-ldb", "--lose-on-corruption"]
    command += ["--dynamic-space-size", str(_HEAP_MEGABYTES), "--end-runtime-options"]
    return LiveChild(command, {}, None)


def start_by_loading(record: BuildRecord, cache: Path) -> LiveChild:
    """Start SBCL and load what the build loaded; SbclError. It greets when all is loaded."""
    sbcl = find_sbcl(record.sbcl)
    code = compiled_code(sbcl, cache)
    # One form, read before anything is loaded: an init file may change how the reader reads.
    steps = ["(oblist::load-everything)", load_form(code / SERVER), "(oblist::serve-child)"]
    forms = [load_form(code / PREPARE), f"(progn {' '.join(steps)})"]
    setup = record.setup()
    environment = {**setup.environment(), "OBLIST_SYSTEMS": "\n".join(record.systems)}
    return LiveChild(sbcl_arguments(sbcl, forms), environment, setup.project)


def _escape(text: str) -> str:
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text)


def _unescape(text: str) -> str:
    return _UNESCAPED.sub(lambda match: _UNESCAPES.get(match[1], match[1]), text) if "\\" in text else text
