"""Values from the image that the user works in, through its Swank server.

Only lisp/serve/attach.lisp is evaluated there, with the names as strings. The connection is closed soon after
the last question, since we are only a guest there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from oblist.indexer.format import user_cache_folder
from oblist.lisp.build_records import BuildRecords
from oblist.lisp.sources import SOURCES

from ..index.value_source import LiveValue, ValueSource
from ..syntax.lexemes import lexemes
from ..syntax.printed import items
from .live import DEADLINE_SECONDS, PRINTING_ERROR, TIME_LIMIT
from .pause import MOST_FAILURES, Pause
from .swank.address import SwankAddress, place_of
from .swank.protocol import (
    AbortedError,
    NotSwankError,
    Sexp,
    SwankConnection,
    SwankError,
    SwankGoneError,
    SwankLateError,
    literal,
    property_of,
)

_SECRET = ".slime-secret"  # noqa: S105 - the name of SLIME's file
_CONNECTING_SECONDS = 2.0
_IDLE_SECONDS = 5.0
# The package name tells Swank from Slynk, which has Swank's names too; the number, whether SBCL interprets.
_WHO_ARE_YOU = (
    "(cl:list (cl:package-name (cl:symbol-package (cl:quote swank:connection-info)))"
    ' (cl:if (cl:find-package "SB-EVAL") 1 0))'
)
_NOT_THERE = {
    "unbound": "it is unbound in the image at {}",
    "no-symbol": "the image at {} has no such symbol",
    "no-package": "the image at {} has no such package",
}


def attached_values(address: str, remote: bool = False) -> Callable[[str], ValueSource]:
    """For ``open_index``: the values of the running image whose Swank server is at ``address``.

    ``address`` is swank:HOST:PORT, with brackets around an IPv6 address. A Swank server lets its clients do
    anything, and encrypts nothing, so other hosts need ``remote``. Raises AttachError; if the server does not
    answer, answers merely lack values.
    """
    place = place_of(address, remote)
    return lambda build_id: AttachedImage(place, _indexed_version(build_id))


def _indexed_version(build_id: str) -> str | None:
    """The version of the indexed SBCL, if the index was built here."""
    try:
        record = BuildRecords(user_cache_folder()).find(build_id)
    except RuntimeError:  # a user without a home folder has no cache either
        return None
    return record.sbcl_version if record else None


@cache
def _forms() -> tuple[str, str]:
    """The forms of lisp/serve/attach.lisp: the greeting, and the function to call."""
    text = (SOURCES / "serve" / "attach.lisp").read_text(encoding="utf-8")
    greeting, function = (_joined(form) for form in items(f"({text})"))
    return greeting, function


def _joined(form: str) -> str:
    """``form`` in few characters, without comments, and with each local name made one symbol throughout."""
    labels: dict[str, int] = {}
    pieces, end = [], 0
    for kind, piece, start in lexemes(form):
        shown = piece
        if kind == "uninterned":
            first = piece not in labels
            number = labels.setdefault(piece, len(labels) + 1)
            shown = f"#{number}={piece}" if first else f"#{number}#"
        pieces += [" " if start > end else "", shown]
        end = start + len(piece)
    return "".join(pieces)


def _secret() -> str | None:
    """The first line of SLIME's secret file; None if there is no such file."""
    try:
        lines = (Path.home() / _SECRET).read_text(encoding="utf-8", errors="replace").split("\n")
    except (OSError, RuntimeError):
        return None
    return lines[0]


class _RefusedError(Exception):
    """The server there cannot be asked for values; the message says what it is."""


class AttachedImage:
    """The image of a Swank server. Concurrent questions wait for each other."""

    def __init__(self, place: SwankAddress, indexed_version: str | None) -> None:
        self._place = place
        self._indexed_version = indexed_version
        self._lock = threading.Lock()
        # The lock guards the following.
        self._connection: SwankConnection | None = None
        self._question = ""  # with {} in place of each argument
        self._note: str | None = None
        self._was_there = False
        self._pause = Pause()
        self._last_use = 0.0
        self._idle: threading.Timer | None = None

    def value(self, package: str, name: str) -> LiveValue:
        """The value of the symbol ``name`` of ``package``, within the deadline. Never raises."""
        if not self._lock.acquire(timeout=DEADLINE_SECONDS):
            return _none(f"the server at {self._place.written} is busy with other questions; ask again")
        try:
            return self._answer(package, name)
        finally:
            self._last_use = time.monotonic()
            if self._connection is not None and self._idle is None:
                self._wait_for_idleness(_IDLE_SECONDS)
            self._lock.release()

    def close(self) -> None:
        """End the connection. A later question would connect again."""
        with self._lock:
            self._drop()

    # With the lock held

    def _answer(self, package: str, name: str) -> LiveValue:
        if (reason := self._pause.reason) is not None:
            return _none(f"{reason} ({MOST_FAILURES} failures; oblist pauses before it tries again)")
        if self._connection is not None and self._connection.has_ended():
            self._drop()
        try:
            return self._ask(self._connection or self._connect(), package, name)
        except (SwankError, _RefusedError) as error:
            return self._failed(self._words(error))

    def _words(self, error: Exception) -> str:
        """The message for a conversation that ended in ``error``."""
        where = self._place.written
        match error:
            case SwankLateError():
                return f"the server at {where} does not answer like Swank, or does not answer in time"
            case SwankGoneError() if self._was_there:
                return f"the Swank server at {where} is gone"
            case SwankGoneError():
                return f"no Swank server answers at {where} ({error})"
            case NotSwankError():
                return f"the server at {where} is not a Swank server: it sent {error}"
        return str(error)

    def _connect(self) -> SwankConnection:
        """Connect, and check that the server is an SBCL that can be asked for values."""
        self._connection = connection = SwankConnection(self._place.addresses, _secret(), _CONNECTING_SECONDS)
        try:
            information = connection.ask("(swank:connection-info)", _CONNECTING_SECONDS)
            self._check_lisp(property_of(information, ":lisp-implementation"))
            match connection.ask(_WHO_ARE_YOU, _CONNECTING_SECONDS):
                case ["SWANK", int(interpreter)]:
                    greeting, function = _forms()
                case _:
                    raise _RefusedError(
                        f"a Slynk server answers at {self._place.written}; oblist speaks only Swank"
                    )
            self._question = _evaluated(f"({function} {{}} {{}})", bool(interpreter))
            connection.ask(_evaluated(greeting, bool(interpreter)), _CONNECTING_SECONDS)
        except AbortedError as error:
            raise NotSwankError("no answer to a request that every Swank server answers") from error
        self._was_there = True
        return connection

    def _check_lisp(self, lisp: Sexp | None) -> None:
        kind, version = property_of(lisp or [], ":type"), property_of(lisp or [], ":version")
        if not isinstance(kind, str):
            raise NotSwankError("nothing about its Lisp")
        if kind != "SBCL":
            raise _RefusedError(f"the Lisp at {self._place.written} is {kind[:80]}, not SBCL")
        self._note = None
        if self._indexed_version is not None and version != self._indexed_version:
            self._note = f"the value is from SBCL {version}, and the index from {self._indexed_version}"

    def _ask(self, connection: SwankConnection, package: str, name: str) -> LiveValue:
        """Ask the server. Raises SwankError."""
        try:
            reply = connection.ask(self._question.format(literal(package), literal(name)), DEADLINE_SECONDS)
        except AbortedError:
            return LiveValue(PRINTING_ERROR, self._note)
        except SwankLateError:
            self._failed(f"the server at {self._place.written} did not answer in time")
            return LiveValue(TIME_LIMIT, self._note)
        match reply:
            case [str(kind), str(text)]:
                self._pause.succeeded()
                if kind in _NOT_THERE:
                    return LiveValue(None, _NOT_THERE[kind].format(self._place.written))
                return LiveValue(text, self._note)
        raise NotSwankError("no value")

    def _failed(self, reason: str) -> LiveValue:
        self._drop()
        self._pause.failed(reason)
        return _none(reason)

    def _drop(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # Leaving

    def _wait_for_idleness(self, seconds: float) -> None:
        self._idle = threading.Timer(seconds, self._leave_if_idle)
        self._idle.daemon = True
        self._idle.start()

    def _leave_if_idle(self) -> None:
        with self._lock:
            if threading.current_thread() is not self._idle:
                return  # closed in the meantime
            left = self._last_use + _IDLE_SECONDS - time.monotonic()
            if left <= 0:
                self._drop()
            else:
                self._wait_for_idleness(left)


def _evaluated(form: str, interpreter: bool) -> str:
    """``form``, interpreted if that SBCL has an interpreter: compiling it takes ten times longer.

    Expanding its macros must not advance the user's gensym counter.
    """
    bindings = "(cl:*gensym-counter* 0)" + interpreter * " (sb-ext:*evaluator-mode* :interpret)"
    return f"(cl:let ({bindings}) (cl:eval (cl:quote {form})))"


def _none(reason: str) -> LiveValue:
    return LiveValue(None, f"no live value: {reason}")
