"""Values from the image that a person works in, through its Swank server.

Only lisp/serve/attach.lisp is evaluated there, with the names that are asked for as strings. The connection
is kept while questions come, and ended soon after: a guest does not stay in somebody's image.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from oblist.indexer.format import user_cache_folder
from oblist.lisp.build_records import BuildRecords
from oblist.lisp.sources import SOURCES

from ..index.value_source import LiveValue, ValueSource
from .live import DEADLINE_SECONDS, PRINTING_ERROR, TIME_LIMIT
from .pause import MOST_FAILURES, Pause
from .swank.address import Place, place_of
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
_COMMENT = re.compile(r";.*")
_LOCAL_NAME = re.compile(r"#:[^\s()]+")
# Slynk answers to Swank's names, but its own is another; and whether that SBCL has an interpreter.
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

    ``address`` is swank:HOST:PORT; an IPv6 address goes between brackets. Whoever can speak to a Swank
    server can do anything there, and nothing is encrypted: hosts other than this one need ``remote``.
    Raises AttachError; a server that is not there only costs the values.
    """
    place = place_of(address, remote)
    return lambda build_id: AttachedImage(place, _indexed_version(build_id))


def _indexed_version(build_id: str) -> str | None:
    """The version of the SBCL that was indexed, where the index was built here."""
    try:
        record = BuildRecords(user_cache_folder()).find(build_id)
    except RuntimeError:  # a user without a home has no cache either
        return None
    return record.sbcl_version if record else None


@cache
def _forms() -> tuple[str, str]:
    """The forms of lisp/serve/attach.lisp: that which greets, and the function that is asked."""
    text = _COMMENT.sub("", (SOURCES / "serve" / "attach.lisp").read_text(encoding="utf-8"))
    greeting, function = (_joined(form) for form in re.split(r"\n(?=\()", text) if form.strip())
    return greeting, function


def _joined(form: str) -> str:
    """``form`` on few characters, its local names that are written alike made one symbol each."""
    labels: dict[str, int] = {}

    def label(name: re.Match[str]) -> str:
        if name[0] in labels:
            return f"#{labels[name[0]]}#"
        labels[name[0]] = len(labels) + 1
        return f"#{labels[name[0]]}={name[0]}"

    return re.sub(r"\s+", " ", _LOCAL_NAME.sub(label, form)).strip()


def _secret() -> str | None:
    """The first line of SLIME's file with a secret; None when there is no such file."""
    try:
        lines = (Path.home() / _SECRET).read_text(encoding="utf-8", errors="replace").split("\n")
    except (OSError, RuntimeError):
        return None
    return lines[0]


class _RefusedError(Exception):
    """What listens there is not what can be asked; the text says what it is."""


class AttachedImage:
    """The image behind a Swank server. Concurrent questions wait for each other."""

    def __init__(self, place: Place, indexed_version: str | None) -> None:
        self._place = place
        self._indexed_version = indexed_version
        self._lock = threading.Lock()
        # What follows is under the lock.
        self._connection: SwankConnection | None = None
        self._question = ""  # with {} for the arguments' place
        self._note: str | None = None
        self._was_there = False
        self._pause = Pause()
        self._last_use = 0.0
        self._idle: threading.Timer | None = None

    def value(self, package: str, name: str) -> LiveValue:
        """The value of the symbol ``name`` of ``package``, within the deadline; it never raises."""
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

    # Under the lock

    def _answer(self, package: str, name: str) -> LiveValue:
        if (reason := self._pause.reason) is not None:
            return _none(f"{reason} ({MOST_FAILURES} times; no more is tried for a while)")
        if self._connection is not None and self._connection.has_ended():
            self._drop()
        try:
            return self._ask(self._connection or self._connect(), package, name)
        except (SwankError, _RefusedError) as error:
            return self._failed(self._words(error))

    def _words(self, error: Exception) -> str:
        """What to say of a conversation that ended in ``error``."""
        where = self._place.written
        match error:
            case SwankLateError():
                return f"what listens at {where} does not answer as Swank does, or not in time"
            case SwankGoneError() if self._was_there:
                return f"the Swank server at {where} is gone"
            case SwankGoneError():
                return f"no Swank server answers at {where} ({error})"
            case NotSwankError():
                return f"what listens at {where} is no Swank server: it sent {error}"
        return str(error)

    def _connect(self) -> SwankConnection:
        """Connect, and see to it that this is an SBCL which can be asked."""
        self._connection = connection = SwankConnection(self._place.addresses, _secret(), _CONNECTING_SECONDS)
        try:
            information = connection.ask("(swank:connection-info)", _CONNECTING_SECONDS)
            self._check_lisp(property_of(information, ":lisp-implementation"))
            match connection.ask(_WHO_ARE_YOU, _CONNECTING_SECONDS):
                case ["SWANK", int(interpreter)]:
                    greeting, function = _forms()
                case _:
                    raise _RefusedError(
                        f"a Slynk server answers at {self._place.written}; only Swank is spoken"
                    )
            self._question = _evaluated(f"({function} {{}} {{}})", bool(interpreter))
            connection.ask(_evaluated(greeting, bool(interpreter)), _CONNECTING_SECONDS)
        except AbortedError as error:
            raise NotSwankError("no answer to what Swank answers") from error
        self._was_there = True
        return connection

    def _check_lisp(self, lisp: Sexp | None) -> None:
        kind, version = property_of(lisp or [], ":type"), property_of(lisp or [], ":version")
        if not isinstance(kind, str):
            raise NotSwankError("no word of its Lisp")
        if kind != "SBCL":
            raise _RefusedError(f"the Lisp at {self._place.written} is {kind[:80]}, and only SBCL is asked")
        self._note = None
        if self._indexed_version is not None and version != self._indexed_version:
            self._note = f"the value is from SBCL {version}, the index is of {self._indexed_version}"

    def _ask(self, connection: SwankConnection, package: str, name: str) -> LiveValue:
        """The answer of the server; SwankError."""
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
                return  # closed meanwhile
            left = self._last_use + _IDLE_SECONDS - time.monotonic()
            if left <= 0:
                self._drop()
            else:
                self._wait_for_idleness(left)


def _evaluated(form: str, interpreter: bool) -> str:
    """``form``, interpreted where that SBCL can: compiling it takes ten times longer.

    Expanding its macros must not count on in the person's gensyms.
    """
    bindings = "(cl:*gensym-counter* 0)" + interpreter * " (sb-ext:*evaluator-mode* :interpret)"
    return f"(cl:let ({bindings}) (cl:eval (cl:quote {form})))"


def _none(reason: str) -> LiveValue:
    return LiveValue(None, f"no live value: {reason}")
