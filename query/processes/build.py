"""Building an index as a child process: a surface that asks never imports building.

The child is ``oblist index``. What it is told comes from its caller or from a build record in the user's
own cache; nothing that was read from an index becomes a part of its command line.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from oblist.indexer.format import user_cache_folder
from oblist.lisp.build_records import BuildRecord, BuildRecords
from oblist.lisp.sbcl import stop

from ..errors import QueryError
from .child import child_command

_GRACE_SECONDS = 5.0
_LOOK_SECONDS = 0.1  # how late a cancellation may be noticed
_READ_BYTES = 1 << 16
_MOST_SUMMARY_BYTES = 1 << 24
_MOST_WORDS = 2000
_MOST_WORD_BYTES = 4 * _MOST_WORDS
_MOST_NAMED = 5
_MOST_REASON = 200
_NO_PROGRAM = 127  # as a shell has it


class NotBuiltHereError(QueryError):
    """There is no record of how an index was built, so it cannot be built again from one."""

    def __init__(self, index: Path) -> None:
        super().__init__(
            f"{index}: this index was not built here, or long ago: there is no record of how. Nothing read "
            "from an index decides what is run. Build it once with: oblist index"
        )


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """How a build ended: whether there is a new index, the exit code, and what to say about it.

    Success with code 1 means that something would not load, and the rest is indexed; ``text`` names it.
    """

    success: bool
    code: int
    text: str


def rebuild_arguments(index: Path, build_id: str) -> list[str]:
    """The arguments of ``oblist index`` that build ``index``, known by ``build_id``, again.

    Raises NotBuiltHereError when this user's cache has no record of it.
    """
    record = BuildRecords(user_cache_folder()).find(build_id)
    if record is None:
        raise NotBuiltHereError(index)
    return arguments_of(record, index)


def arguments_of(record: BuildRecord, index: Path) -> list[str]:
    """The arguments of ``oblist index`` that build what ``record`` says to the file ``index``.

    Options come first, then ``--``: no name of a system is taken for an option, and a caller may put
    further options (``--no-sources``) before them.
    """
    # Who asks to build again may know of changes that no file shows.
    options = [f"--sbcl={record.sbcl}", f"--output={index.absolute()}", "--force"]
    if record.project:
        options.append(f"--project={record.project}")
    options += [f"--load={file}" for file in record.files]
    if record.init:
        options.append(f"--init={record.init}")
    if not record.user_init:
        options.append("--no-userinit")
    if not record.sources:
        options.append("--no-sources")
    if not record.snapshot:
        options.append("--no-snapshot")
    return [*options, "--", *record.systems]


class BuildProcess:
    """One run of ``oblist index`` with ``arguments``, which another thread may cancel."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._command = child_command("index", "--json", "--progress-json", *arguments)
        self._cancelled = Event()

    def cancel(self) -> None:
        """Let the build end soon, and ``run`` return; for other threads, at any time."""
        self._cancelled.set()

    def run(self, on_stage: Callable[[str], None], seconds: float) -> BuildOutcome:
        """Build, and wait for the end, ``seconds`` at most; ``on_stage`` is told each stage in this thread.

        A build that is cancelled, that takes too long, or whose ``on_stage`` raises, is asked to end and
        tidies up; what has not ended after five seconds is killed, with the SBCL it started. The old
        index answers until the new one is complete, and stays when there is none. The kernel ends the
        build with the thread that calls this.
        """
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            return BuildOutcome(False, _NO_PROGRAM, f"{sys.executable} does not start: {error}")
        with process:
            said = _Said(process, on_stage)
            try:
                reason = self._follow(process, said, time.monotonic() + seconds)
            finally:
                stop(process, grace_seconds=_GRACE_SECONDS)
            while said.read(0):
                pass
        return _outcome(process.returncode, said, reason and reason.format(seconds=seconds))

    def _follow(self, process: subprocess.Popen[bytes], said: _Said, deadline: float) -> str | None:
        """Read until the build ends; None then, else why it has to end now."""
        while said.is_open:
            if self._cancelled.is_set():
                return "was cancelled"
            if time.monotonic() >= deadline:
                return "took longer than {seconds:g} s and was ended"
            said.read(_LOOK_SECONDS)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_SECONDS)
        return None


class _Said:
    """What a build prints: stages are passed on; of all else is kept what is needed at the end."""

    def __init__(self, process: subprocess.Popen[bytes], on_stage: Callable[[str], None]) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self._on_stage = on_stage
        self._summary = bytearray()
        self._words = self._line = b""
        self._takers = {
            process.stdout.fileno(): self._take_summary,
            process.stderr.fileno(): self._take_words,
        }
        self._poller = select.poll()  # SELECT takes no descriptors beyond 1023
        for descriptor in self._takers:
            self._poller.register(descriptor, select.POLLIN)

    @property
    def is_open(self) -> bool:
        """Whether more may come."""
        return bool(self._takers)

    def read(self, seconds: float) -> bool:
        """Take what there is, or comes within ``seconds``; whether there was anything, be it an end."""
        ready = self._poller.poll(seconds * 1000)
        for descriptor, _ in ready:
            if chunk := os.read(descriptor, _READ_BYTES):
                self._takers[descriptor](chunk)
            else:
                self._poller.unregister(descriptor)
                del self._takers[descriptor]
        return bool(ready)

    def summary(self) -> str | None:
        """The summary of a build that wrote an index, in words."""
        try:
            return _summary_text(json.loads(self._summary))
        except (ValueError, KeyError, TypeError):
            return None

    def last_words(self) -> str:
        """The end of what was printed as errors, without the stages."""
        return (self._words + self._line).decode("utf-8", "replace").strip()[-_MOST_WORDS:]

    def _take_summary(self, chunk: bytes) -> None:
        if len(self._summary) < _MOST_SUMMARY_BYTES:
            self._summary += chunk

    def _take_words(self, chunk: bytes) -> None:
        *lines, rest = (self._line + chunk).split(b"\n")
        self._line = rest[-_MOST_WORD_BYTES:]
        words = [self._words]
        for line in lines:
            stage = _stage(line)
            if stage is None:
                words += [line, b"\n"]
            else:
                self._on_stage(stage)
        self._words = b"".join(words)[-_MOST_WORD_BYTES:]


def _stage(line: bytes) -> str | None:
    """The stage that a line tells, if it is one that does."""
    if not line.startswith(b'{"stage"'):
        return None
    try:
        return str(json.loads(line)["stage"])
    except (ValueError, KeyError):
        return None


def _outcome(code: int, said: _Said, reason: str | None) -> BuildOutcome:
    if (summary := said.summary()) is not None:
        return BuildOutcome(True, code, summary)
    if reason is not None:
        return BuildOutcome(False, code, f"The build {reason}; an index that was there still answers.")
    return BuildOutcome(False, code, said.last_words() or f"oblist index ended with code {code}.")


def _summary_text(summary: dict[str, Any]) -> str:
    """What was built in a line, and in another what would not load."""
    counts = ", ".join(
        f"{summary[what]:,} {what}" for what in ("symbols", "definitions", "references", "problems")
    )
    text = f"{summary['path']}: {counts} in {summary['seconds']:.1f} s"
    failed = [_not_loaded(one["problem"]) for one in summary["not_loaded"]]
    if not failed:
        return text
    more = f"; and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else ""
    return f"{text}\nDid not load: {'; '.join(failed[:_MOST_NAMED])}{more}"


def _not_loaded(problem: dict[str, Any]) -> str:
    reason = " ".join(f"{problem['condition']}: {problem['message']}".split())
    return f"{problem['part']} {problem['subject']} ({reason[:_MOST_REASON]})"
