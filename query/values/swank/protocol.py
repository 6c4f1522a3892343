"""The client's side of the Swank protocol: messages, and the exchange that evaluates one form.

A message is its length in bytes, as six hexadecimal digits, and then an S-expression in UTF-8 (SLIME's
swank/rpc.lisp). We send ``(:emacs-rex FORM PACKAGE THREAD ID)`` and wait for ``(:return .. ID)``; the server
may send other messages before that.
"""

from __future__ import annotations

import re
import select
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import TypeAlias

from ...syntax.lexemes import lexemes
from ...syntax.names.literals import string_value

MOST_BYTES = 1 << 20
_CHUNK_BYTES = 1 << 16
_HEADER_BYTES = 6
_HEXADECIMAL = re.compile(rb"[0-9a-fA-F]*")
_TO_ESCAPE = re.compile(r'["\\]')
_NEVER_ENDING = '"|\\'
_HEEDED = {":return", ":ping", ":debug"}
_ENDED = "it ended the connection"
_ANY_THREAD = "t"  # a new one
_PACKAGE = '"COMMON-LISP-USER"'

Address: TypeAlias = tuple[socket.AddressFamily, tuple[str, int] | tuple[str, int, int, int]]
Sexp: TypeAlias = "str | int | SwankSymbol | list[Sexp]"


class SwankError(Exception):
    """The connection is of no further use."""


class SwankGoneError(SwankError):
    """No server is listening there, or the connection ended; the text is the system's message."""


class SwankLateError(SwankError):
    """The server did not answer in time."""


class NotSwankError(SwankError):
    """The server sent something that is not in the protocol; the text says what."""


class AbortedError(Exception):
    """The evaluation was aborted; the connection can still be used."""


class SwankSymbol(str):
    """A symbol, or any other object that is not a string, a list or an integer, as it is printed."""

    __slots__ = ()


def literal(text: str) -> str:
    """``text`` as a Lisp string, whatever is in it."""
    return '"' + _TO_ESCAPE.sub(lambda match: "\\" + match[0], text) + '"'


def parse(text: str) -> Sexp:
    """The S-expression in ``text``. Raises NotSwankError if it is not one."""
    refusal = NotSwankError(f"a message that is not an S-expression: {text[:40]!r}")
    lists: list[list[Sexp]] = [[]]
    for kind, piece, _ in lexemes(text):
        if kind == "open":
            lists.append([])
        elif kind == "close":
            if len(lists) == 1:
                raise refusal
            done = lists.pop()
            lists[-1].append(done)
        elif kind == "stray" and piece[0] in _NEVER_ENDING:
            raise refusal
        else:
            lists[-1].append(string_value(piece) if kind == "string" else _atom(piece))
    if len(lists) != 1 or len(lists[0]) != 1:
        raise refusal
    return lists[0][0]


def _atom(text: str) -> int | SwankSymbol:
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else SwankSymbol(text)


def _head(text: str) -> str:
    """The keyword that says what a message is; most messages need no further parsing."""
    match list(islice(lexemes(text), 2)):
        case [("open", "(", _), ("symbol", head, _)] if head[0] == ":":
            return head.lower()
    raise NotSwankError(f"a message that the protocol does not allow: {text[:40]!r}")


def property_of(plist: Sexp, name: str) -> Sexp | None:
    """The value after the keyword ``name`` in a property list; None if there is none."""
    if isinstance(plist, list):
        for key, value in zip(plist[::2], plist[1::2], strict=False):
            if isinstance(key, SwankSymbol) and key.lower() == name:
                return value
    return None


class SwankConnection:
    """A connection to a server, which may turn out not to be Swank; for one thread at a time."""

    def __init__(self, addresses: Sequence[Address], secret: str | None, seconds: float) -> None:
        """Connect to the first of ``addresses`` that answers, within ``seconds``.

        ``secret`` is sent first, as SLIME does. Raises SwankGoneError and SwankLateError.
        """
        self._deadline = time.monotonic() + seconds
        self._received = bytearray()
        self._last_id = 0
        self._socket = self._connected(addresses)
        try:
            if secret is not None:
                self._send(secret)
        except SwankError:
            self.close()
            raise

    def _connected(self, addresses: Sequence[Address]) -> socket.socket:
        failure: OSError = ConnectionRefusedError("no address")
        for family, address in addresses:
            connecting = socket.socket(family, socket.SOCK_STREAM)
            try:
                connecting.settimeout(self._left())
                connecting.connect(address)
                connecting.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return connecting
            except OSError as error:
                connecting.close()
                failure = error
            except SwankLateError:
                connecting.close()
                raise
        if isinstance(failure, TimeoutError):
            raise SwankLateError from failure
        raise SwankGoneError(_system_words(failure)) from failure

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def has_ended(self) -> bool:
        """Whether the server has ended the connection since the last request."""
        try:
            ready, _, _ = select.select([self._socket], [], [], 0)
            return bool(ready) and not self._socket.recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):
            return True

    def ask(self, form: str, seconds: float) -> Sexp:
        """The value of ``form``, within ``seconds``.

        Raises AbortedError if ``form`` signalled an error; the connection can still be used. After
        SwankGoneError, SwankLateError or NotSwankError, it cannot.
        """
        self._deadline = time.monotonic() + seconds
        asked = self._request(form, _ANY_THREAD)
        while True:
            text = self._message()
            head = _head(text)
            match head, parse(text) if head in _HEEDED else []:
                case ":return", [_, result, int(number)] if number == asked:
                    return _returned(result)
                case ":ping", [_, int(thread), int(tag)]:
                    self._send(f"(:emacs-pong {thread} {tag})")
                case ":debug", [_, int(thread), int(), *_, continuations]:
                    self._leave_debugger(thread, asked, continuations)
                case ":reader-error" | ":invalid-rpc" as complaint, _:
                    raise NotSwankError(
                        f"{complaint} in reply to a request that every Swank server understands"
                    )

    def _leave_debugger(self, thread: int, asked: int, continuations: Sexp) -> None:
        """End the request that ``thread`` is working on.

        If the request is not ours, Swank shows us another thread's error because no Emacs is connected: that
        thread gets the debugger that it would have had without us.
        """
        if isinstance(continuations, list) and asked in continuations:
            self._request("(swank:throw-to-toplevel)", str(thread))
        else:
            self._request("(swank:sldb-break-with-default-debugger cl:nil)", str(thread))

    def _request(self, form: str, thread: str) -> int:
        self._last_id += 1
        self._send(f"(:emacs-rex {form} {_PACKAGE} {thread} {self._last_id})")
        return self._last_id

    # Messages

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise SwankLateError
        return left

    def _send(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        try:
            self._socket.settimeout(self._left())
            self._socket.sendall(b"%06x%s" % (len(data), data))
        except TimeoutError as error:
            raise SwankLateError from error
        except OSError as error:
            # A message that the server sent before it hung up says more.
            with suppress(SwankGoneError):
                self._message()
            raise SwankGoneError(_system_words(error)) from error

    def _message(self) -> str:
        """The next message; only its header is checked."""
        size = int(self._receive(_HEADER_BYTES), 16)
        if size > MOST_BYTES:
            raise NotSwankError(f"a message of {size:,} bytes, which is too long")
        text = self._receive(_HEADER_BYTES + size)[_HEADER_BYTES:].decode("utf-8", "replace")
        del self._received[: _HEADER_BYTES + size]
        return text

    def _receive(self, size: int) -> bytes:
        """The first ``size`` bytes of the message. Raises NotSwankError at once if the header is invalid."""
        while True:
            header = bytes(self._received[:_HEADER_BYTES])
            if not _HEXADECIMAL.fullmatch(header):
                raise NotSwankError(f"{header!r} instead of the length of a message")
            if len(self._received) >= size:
                return bytes(self._received[:size])
            try:
                self._socket.settimeout(self._left())
                chunk = self._socket.recv(_CHUNK_BYTES)
            except TimeoutError as error:
                raise SwankLateError from error
            except OSError as error:
                raise SwankGoneError(_system_words(error)) from error
            if not chunk:
                raise SwankGoneError(_ENDED)
            self._received += chunk


def _system_words(error: OSError) -> str:
    """The reason why there is no connection; a reset counts as an orderly end."""
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return _ENDED
    return error.strerror or str(error)


def _returned(result: Sexp) -> Sexp:
    match result:
        case [SwankSymbol() as word, value] if word.lower() == ":ok":
            return value
        case [SwankSymbol() as word, *_] if word.lower() == ":abort":
            raise AbortedError
    raise NotSwankError("a reply that is neither :ok nor :abort")
