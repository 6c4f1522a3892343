"""Servers to attach to: a real Swank in a child SBCL, and some that are not."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from oblist.lisp.sbcl import Sbcl

_ANSWER = "=> "
_SCRIPT = Path(__file__).parent / "lisp" / "swank_server.lisp"


class SwankServer:
    """The image of swank_server.lisp; it has a channel of its own besides Swank."""

    def __init__(self, sbcl: Sbcl) -> None:
        options = ["--noinform", "--no-sysinit", "--no-userinit", "--disable-debugger"]
        self._process = subprocess.Popen(
            [str(sbcl.path), *options, "--load", str(_SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.where = f"127.0.0.1:{int(self._line())}"
        self.address = f"swank:{self.where}"

    def _line(self) -> str:
        """The next answer; other output of the image is skipped."""
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            if line.startswith(_ANSWER):
                return line.removeprefix(_ANSWER).rstrip("\n")
        raise AssertionError("the server ended")

    def evaluate(self, form: str) -> str:
        """The printed value of ``form`` in the image; Swank takes no part in this."""
        assert self._process.stdin is not None
        self._process.stdin.write(form + "\n")
        self._process.stdin.flush()
        return self._line()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@contextlib.contextmanager
def swank_server(sbcl: Sbcl) -> Iterator[SwankServer]:
    server = SwankServer(sbcl)
    try:
        yield server
    finally:
        server.kill()


def packet(text: str) -> bytes:
    data = text.encode()
    return b"%06x%s" % (len(data), data)


def read_packet(connection: socket.socket) -> str:
    """The next message of the client; empty when it has gone."""
    with connection.makefile("rb", buffering=0) as stream:
        header = stream.read(6)
        return stream.read(int(header, 16)).decode() if header else ""


@contextlib.contextmanager
def some_server(converse: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server on a free port that lets ``converse`` deal with each connection, then ends it."""
    listening = socket.create_server(("127.0.0.1", 0))

    def deal(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            converse(connection)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=deal, args=listening.accept()[:1], daemon=True).start()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(5)
