"""Run a dump and yield its records while SBCL still writes them."""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import IO, TypeVar

from oblist.lisp.descendants import end_orphans, stop
from oblist.lisp.disk import printed_reason
from oblist.lisp.images import (
    COMPILED_HERE,
    MOST_COMPILING,
    OTHER_LIBRARIES,
    Earlier,
    Libraries,
    Setup,
    loaded_last,
    printed_while_loading,
    start_dump,
)
from oblist.lisp.sbcl import Sbcl, compiled_code

from .errors import CancelledError, ImageError, IndexerError, OtherLibrariesError, RecordError
from .format import user_cache_folder
from .letter_case import ListedPaths
from .loading import LoadingLog
from .records import (
    STREAM_VERSION,
    Components,
    End,
    File,
    Header,
    Problem,
    Record,
    Root,
    System,
    read_record,
)

_SILENCE_SECONDS = 120.0
_LAST_WORDS_SECONDS = 1.0
_PATIENCE_SECONDS = 5.0
_MOST_FATAL = 8
_LOOK_SECONDS = 0.1
_PIPE_BYTES = 1 << 20
_NOTHING_ELSE = Setup()
_NO_SNAPSHOT = ";;; oblist: no snapshot, "  # lisp/prepare/snapshot.lisp says so
_MISSING = ";;; oblist: missing:"  # lisp/prepare/systems/libraries.lisp says so
_LIBRARIES = ";;; oblist: libraries: "  # lisp/prepare/systems/libraries.lisp says so
_NOT_ALL = ";;; oblist: not all dependencies loaded"  # lisp/prepare/load.lisp says so
_THREADS = ";;; oblist: threads ended"  # lisp/prepare/load.lisp says so
_INCOMPLETE = "SBCL ended before the dump was complete"
_OUTPUT_CHARACTERS = 3000
_STANDARD_STREAMS = ('"standard output"', '"standard error"')
_OTHER_PLACE = "Make room there, or set TMPDIR to another folder."


@dataclass(frozen=True, slots=True)
class ImagePlan:
    """The image to dump: an SBCL, the systems to load into it, and the setup before that.

    ``libraries`` are loaded in place of systems and projects, for a layer. If projects need others than those
    ``settled``, by identity, OtherLibrariesError is raised before any is loaded; if None, they are loaded,
    whatever they are. ``silence_seconds`` bounds the time from one record to the next, once loading is done.
    """

    sbcl: Sbcl
    systems: Sequence[str] = ()
    setup: Setup = _NOTHING_ELSE
    libraries: Libraries | None = None
    settled: tuple[str, ...] | None = None
    silence_seconds: float = _SILENCE_SECONDS


# A function that starts SBCL, given the descriptor for records, the file for output, and what became of
# earlier starts.
Start = Callable[[int, IO[bytes], Earlier], subprocess.Popen[bytes]]
Made = TypeVar("Made")


class Image:
    """An SBCL that is being dumped; a context manager that leaves no process behind.

    Only an SBCL that compiled nothing is dumped: the compiler interns and defines things that no fasl
    contains. An SBCL that had to compile exits, and another is started, twice at most. So is one if something
    that it loaded ended it, at once or during the dump (``made``), this time without that. With ``snapshot``,
    the image is also saved to that core during the dump; with ``layer``, others start from that core.
    """

    def __init__(self, plan: ImagePlan, snapshot: Path | None = None, *, layer: bool = False) -> None:
        code = compiled_code(plan.sbcl, user_cache_folder())
        self._start(
            plan,
            lambda records, output, earlier: start_dump(
                plan.sbcl,
                code,
                plan.systems,
                plan.setup,
                records,
                output,
                snapshot=snapshot,
                layer=layer,
                libraries=plan.libraries,
                settled=plan.settled,
                earlier=earlier,
            ),
        )

    def _start(self, plan: ImagePlan, start: Start, cancelled: Event | None = None) -> None:
        self._plan = plan
        self._cancelled = cancelled
        self._starter = start
        self._fatal: dict[str, str] = {}
        self._last_words: dict[str, str] = {}
        self._compiled = 0  # how many starts had to compile
        self._witness: Path | None = None
        self._is_dumping = False
        self._on_loading: Callable[[str], None] = lambda _: None
        self._on_missing: Callable[[str], None] = lambda _: None
        self._on_libraries: Callable[[Libraries], None] = lambda _: None
        self._knows_missing = False
        self._told = LoadingLog().text
        try:
            self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        except OSError as error:
            why = error.strerror or error
            raise ImageError(f"The output of SBCL cannot be stored: {why}. {_OTHER_PLACE}") from error
        end_orphans()
        try:
            self._process, self._records = self._new_process()
        except IndexerError:
            self._output.close()
            raise
        self._begin_log()

    def _begin_log(self) -> None:
        self._log, self._logged = LoadingLog(), 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def _new_process(self) -> tuple[subprocess.Popen[bytes], int]:
        """Start an SBCL; returns its process and the descriptor to read its records from."""
        self._end_if_cancelled()
        records, write_end = os.pipe()
        try:
            _widen(records)
            earlier = Earlier(self._compiled, self._fatal, self._witness)
            return self._starter(write_end, self._output, earlier), records
        except OSError as error:
            os.close(records)
            raise ImageError(f"SBCL does not start: {error}") from error
        finally:
            os.close(write_end)

    def __enter__(self) -> Image:
        return self

    def __exit__(self, *_: object) -> None:
        stop(self._process)
        os.close(self._records)
        self._output.close()
        if self._witness:
            self._witness.unlink(missing_ok=True)

    def made(self, make: Callable[[], Made]) -> Made:
        """Return what ``make`` makes of all ``records``; it is called again if SBCL is lost during the dump.

        The second SBCL writes down each question before it asks it, and if it is lost as well, the next one
        loads everything but what the last question was about. Raises whatever ``make`` raises.
        """
        while True:
            try:
                return make()
            except ImageError as error:
                if not self._is_dumping:
                    raise
                self._note_lost(error)
                self._start_again()

    def _note_lost(self, error: ImageError) -> None:
        """Note what to do without, now that SBCL was lost during the dump; raises ImageError if unknown."""
        if self._witness is None:
            descriptor, path = tempfile.mkstemp(prefix="oblist-witness-")
            os.close(descriptor)
            self._witness = Path(path)
            return
        culprit, question, *_ = [*self._witness.read_text("utf-8", "replace").split("\n"), "", ""]
        message = f"{error} The question was: {question}." if question else str(error)
        if not culprit or culprit in self._fatal or len(self._fatal) >= _MOST_FATAL:
            raise ImageError(message, error.output) from error
        self._note_culprit(culprit, message)

    def records(
        self,
        loading: Callable[[str], None] = lambda _: None,
        missing: Callable[[str], None] = lambda _: None,
        libraries: Callable[[Libraries], None] = lambda _: None,
    ) -> Iterator[Record]:
        """Yield all records, the header first and the end record last.

        While SBCL loads, ``loading`` is called with a text that says what it is doing, whenever that changes,
        ``missing`` with the libraries that ASDF does not find, if there are any, and ``libraries`` with those
        that projects need. Raises ImageError, RecordError, OtherLibrariesError if the layer that SBCL started
        from has others, or none and these are not settled, and whatever these functions raise.
        """
        last: Record | None = None
        listed = ListedPaths()
        self._on_loading, self._on_missing, self._on_libraries = loading, missing, libraries
        for line in self._lines():
            record = read_record(line)
            if last is None:
                _check_header(record)
            last = record
            yield _as_listed(_with_place(record), listed.path)
        if not isinstance(last, End):
            raise self._failure(_INCOMPLETE)

    def _lines(self) -> Iterator[bytes]:
        rest = b""
        while chunk := (
            self._chunk(self._plan.silence_seconds) if self._is_dumping else self._chunk_of_loading()
        ):
            lines = (rest + chunk).split(b"\n")
            rest = lines.pop()
            self._is_dumping = self._is_dumping or bool(rest) or any(lines)
            yield from filter(None, lines)  # an empty line is a sign of life
        if rest:
            raise self._failure(_INCOMPLETE)

    def _chunk_of_loading(self) -> bytes:
        """The next bytes of the stream, as long as it has only signs of life.

        They come from another SBCL if this one ended because it had to compile, or if something that it
        loaded ended it or made it hang.
        """
        # SBCL itself stops loading what takes too long; this limit is for when it no longer can.
        limit = self._plan.setup.seconds + _PATIENCE_SECONDS
        while True:
            try:
                if chunk := self._chunk(limit):
                    return chunk
                ended = self.exit_code()
                if ended == OTHER_LIBRARIES and (others := self._libraries()):
                    raise OtherLibrariesError(others)
                if self._compiled < MOST_COMPILING and ended == COMPILED_HERE:
                    self._compiled += 1
                elif not self._note_fatal(self._failure("SBCL ended while loading this")):
                    return b""
            except ImageError as error:
                if not self._note_fatal(error):
                    raise
            self._start_again()

    def _note_fatal(self, error: ImageError) -> bool:
        """Note what SBCL was loading when it ended; return whether it is worth starting SBCL without it."""
        printed = self._printed()
        loaded = loaded_last(printed)
        if loaded is None or loaded in self._fatal or len(self._fatal) >= _MOST_FATAL:
            return False
        self._note_culprit(loaded, str(error))
        return True

    def _note_culprit(self, culprit: str, why: str) -> None:
        """Note that the next start is to do without ``culprit``, a thing by kind and name."""
        self._fatal[culprit] = why
        _, _, what = culprit.rpartition(" ")
        self._last_words[what] = printed_while_loading(self._printed(), what)

    def _chunk(self, limit: float) -> bytes:
        """The next bytes of the stream, empty at its end; raises ImageError after ``limit`` seconds."""
        deadline = time.monotonic() + limit
        ready: list[int] = []
        while not ready and (left := deadline - time.monotonic()) > 0:
            self._end_if_cancelled()
            ready, _, _ = select.select([self._records], [], [], min(left, _LOOK_SECONDS))
            if not (ready or self._is_dumping):
                self._tell()
        if not ready:
            raise self._failure(
                f"SBCL sent nothing for {limit:g} s and was stopped (--load-timeout limits loading)"
            )
        chunk = os.read(self._records, _PIPE_BYTES)
        if not self._is_dumping:
            self._tell()  # after reading: what was printed before the first record is not missed
        return chunk

    def _tell(self) -> None:
        """Tell what SBCL is doing while it loads, unless that was the last thing told."""
        number = self._output.fileno()
        new = os.pread(number, os.fstat(number).st_size - self._logged, self._logged)
        self._logged += len(new)
        self._log.add(self._decoder.decode(new))
        if (text := self._log.text) != self._told:
            self._told = text
            self._on_loading(text)
            if not self._knows_missing and (missing := self._missing()) is not None:
                self._knows_missing = True
                if missing:
                    self._on_missing(missing)
                if libraries := self._libraries():
                    self._on_libraries(libraries)

    def _end_if_cancelled(self) -> None:
        if self._cancelled is not None and self._cancelled.is_set():
            raise CancelledError

    def wait(self, seconds: float) -> bool:
        """Wait at most ``seconds`` for SBCL to end once the snapshot is saved, and return whether it did.

        Raises CancelledError.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._end_if_cancelled()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_LOOK_SECONDS)
                return True
        return False

    def no_snapshot(self) -> str | None:
        """The reason why SBCL saved no snapshot, if it gave one."""
        _, marked, rest = self._printed().partition(_NO_SNAPSHOT)
        return rest.partition("\n")[0] if marked else None

    def _missing(self) -> str | None:
        """The libraries that ASDF does not find, which may be none; None before SBCL has looked for them."""
        _, marked, rest = f"{self._printed()}\n".partition(_MISSING)
        return rest.partition("\n")[0].strip() if marked else None

    def _libraries(self) -> Libraries | None:
        """The libraries that SBCL announced; None before it has looked for them."""
        _, marked, rest = f"{self._printed()}\n".partition(_LIBRARIES)
        if not marked:
            return None
        try:
            return Libraries(*json.loads(rest.partition("\n")[0]))
        except (ValueError, TypeError):  # what was loaded prints too
            return None

    def lacks_libraries(self) -> bool:
        """Whether SBCL said, while it loaded a base, that a dependency of the project did not load."""
        return _NOT_ALL in self._printed()

    def ended_threads(self) -> bool:
        """Whether SBCL said that a layer lacks threads that loading it has started."""
        return _THREADS in self._printed()

    def exit_code(self) -> int | None:
        """The exit code of SBCL, whose stream has ended; None if it is still running."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS_SECONDS)
        return self._process.returncode

    def _start_again(self) -> None:
        stop(self._process)
        self._output.seek(0)
        self._output.truncate()
        ended = self._records
        self._is_dumping = False
        self._process, self._records = self._new_process()
        self._begin_log()
        os.close(ended)

    def printed_while_loading(self, what: str) -> str:
        """The end of what SBCL and the libraries printed while ``what`` was being loaded."""
        printed = self._last_words.get(what) or printed_while_loading(self._printed(), what)
        return printed[-_OUTPUT_CHARACTERS:]

    def printed_last(self) -> str:
        """The end of what SBCL and the libraries printed."""
        return self._printed()[-_OUTPUT_CHARACTERS:]

    def _printed(self) -> str:
        # SBCL, which may be writing now, shares the position in the file: it must stay.
        number = self._output.fileno()
        return os.pread(number, os.fstat(number).st_size, 0).decode("utf-8", "replace").strip()

    def _failure(self, message: str) -> ImageError:
        """Make an ImageError with SBCL's last output and how it ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS_SECONDS)
        stop(self._process, grace_seconds=_LAST_WORDS_SECONDS)
        code = self._process.returncode
        how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return ImageError(f"{message} ({how}).", self.printed_last())


def _with_place(record: Record) -> Record:
    """Tell of a load that failed because the folder for what SBCL prints is full which folder that is."""
    if not isinstance(record, Problem) or not printed_reason(record.message):
        return record
    if not any(stream in record.message for stream in _STANDARD_STREAMS):
        return record
    where = f"Printed output is stored in the folder {tempfile.gettempdir()}. {_OTHER_PLACE}"
    return replace(record, message=f"{record.message}. {where}")


def _as_listed(record: Record, path: Callable[[str], str]) -> Record:
    """A record whose paths are what ``path`` makes of them."""
    match record:
        case File(path=str(own)):
            return replace(record, path=path(own))
        case Problem(path=str(own)):
            return replace(record, path=path(own))
        case Root():
            return replace(record, path=path(record.path))
        case Components():
            return replace(record, files=[[own and path(own), feature] for own, feature in record.files])
        case System():
            definition, folder = (own and path(own) for own in (record.definition, record.folder))
            return replace(record, files=list(map(path, record.files)), definition=definition, folder=folder)
    return record


def _widen(pipe: int) -> None:
    """Enlarge ``pipe`` so that SBCL can write ahead: by default it holds 64 kB (Linux)."""
    try:
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (AttributeError, OSError):  # not Linux, or the user's limit is reached
        return


def _check_header(record: Record) -> None:
    if not isinstance(record, Header):
        raise RecordError("The stream does not begin with a header.")
    if record.stream != STREAM_VERSION:
        raise RecordError(f"The stream has version {record.stream}, but oblist reads {STREAM_VERSION}.")
