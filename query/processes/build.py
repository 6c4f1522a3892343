"""Building an index in a child process: a server never imports the builder.

The child is ``oblist index``. Its arguments come from the caller or from a build record in the user's own
cache; nothing that was read from an index becomes part of its command line.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from oblist.indexer.format import user_cache_folder
from oblist.indexer.same_failures import cause, names_of, same_failures
from oblist.lisp.build_records import BuildRecord, BuildRecords
from oblist.lisp.descendants import stop

from ..errors import QueryError
from .child import child_command

_GRACE_SECONDS = 5.0
_LOOK_SECONDS = 0.1  # how long a cancellation may go unnoticed
_READ_BYTES = 1 << 16
_MOST_SUMMARY_BYTES = 1 << 24
_MOST_WORDS = 2000
_MOST_WORD_BYTES = 4 * _MOST_WORDS
_MOST_NAMED = 5
_MOST_REASON = 200
_NO_PROGRAM = 127  # as in a shell
_SIGNALLED = 128  # as in a shell: added to the number of the signal


class NotBuiltHereError(QueryError):
    """There is no record of how the index was built, so it cannot be rebuilt."""

    def __init__(self, index: Path) -> None:
        super().__init__(
            f"{index}: this index was built elsewhere, or too long ago: there is no record of its build. "
            "No command is ever taken from an index. Build it here once with: oblist index"
        )


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """The outcome of a build: whether there is a new index, the exit code, and a text that explains it.

    Success with code 1 means that something would not load, and the rest was indexed: ``not_loaded`` says
    what and why, and is part of ``text``. If a signal ended the build, the code is 128 more than its number,
    as in a shell.
    """

    success: bool
    code: int
    text: str
    not_loaded: str = ""


def rebuild_arguments(index: Path, build_id: str) -> list[str]:
    """The arguments of ``oblist index`` that rebuild ``index``, whose record has ``build_id``.

    Raises NotBuiltHereError when this user's cache has no such record.
    """
    record = BuildRecords(user_cache_folder()).find(build_id)
    if record is None:
        raise NotBuiltHereError(index)
    return arguments_of(record, index)


def arguments_of(record: BuildRecord, index: Path) -> list[str]:
    """The arguments of ``oblist index`` that build ``index`` as ``record`` says.

    Options come first, then ``--``, so that no system name is taken for an option, and a caller may put
    further options (``--no-sources``) in front.
    """
    # --force, since the caller may know of changes that no file shows.
    options = [f"--sbcl={record.sbcl}", f"--output={index.absolute()}", "--force"]
    options += [f"--project={project}" for project in record.projects]
    options += [f"--load={file}" for file in record.files]
    if record.init:
        options.append(f"--init={record.init}")
    if record.tests:
        options.append("--tests")
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
        """End the build soon, so that ``run`` returns; any thread may call this, at any time."""
        self._cancelled.set()

    def run(self, on_stage: Callable[[str], None], seconds: float) -> BuildOutcome:
        """Build for at most ``seconds``; each stage is passed to ``on_stage``, in this thread.

        A build that is cancelled, takes too long, or whose ``on_stage`` raises is asked to end, so that it
        can tidy up; after five seconds it is killed, with the SBCL it started. The old index goes on
        answering until the new one is complete, and stays if the build fails. The kernel ends the build when
        the calling thread ends.
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
            return BuildOutcome(False, _NO_PROGRAM, f"{sys.executable} does not start: {error.strerror}")
        with process:
            said = _Said(process, on_stage)
            try:
                reason = self._follow(process, said, time.monotonic() + seconds)
            finally:
                stop(process, grace_seconds=_GRACE_SECONDS)
            while said.read(0):
                pass
        return _outcome(_shell_code(process.returncode), said, reason and reason.format(seconds=seconds))

    def _follow(self, process: subprocess.Popen[bytes], said: _Said, deadline: float) -> str | None:
        """Read until the build ends and return None, or return the reason why it has to be ended now."""
        while said.is_open:
            if self._cancelled.is_set():
                return "was cancelled"
            if time.monotonic() >= deadline:
                return "took longer than {seconds:g} s and was stopped"
            said.read(_LOOK_SECONDS)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_SECONDS)
        return None


class _Said:
    """Reads the output of a build: passes the stages on, and keeps the summary and the end of the errors."""

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
        self._poller = select.poll()  # select() takes no descriptor above 1023
        for descriptor in self._takers:
            self._poller.register(descriptor, select.POLLIN)

    @property
    def is_open(self) -> bool:
        """Whether there may be more output."""
        return bool(self._takers)

    def read(self, seconds: float) -> bool:
        """Take the output that arrives within ``seconds``; return whether any arrived, or it ended."""
        ready = self._poller.poll(seconds * 1000)
        for descriptor, _ in ready:
            if chunk := os.read(descriptor, _READ_BYTES):
                self._takers[descriptor](chunk)
            else:
                self._poller.unregister(descriptor)
                del self._takers[descriptor]
        return bool(ready)

    def summary(self) -> tuple[str, str] | None:
        """What a build says that it has built, and what did not load; None if it wrote no index."""
        try:
            summary = json.loads(self._summary)
            return _built(summary), _not_loaded(summary)
        except (ValueError, KeyError, TypeError):
            return None

    def last_words(self) -> str:
        """The end of the error output, without the stages."""
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
    """The stage that a line reports, if it reports one."""
    if not line.startswith(b'{"stage"'):
        return None
    try:
        return str(json.loads(line)["stage"])
    except (ValueError, KeyError):
        return None


def _shell_code(code: int) -> int:
    """The exit code as a shell tells it.

    A Python that is interrupted while it runs generated code (a dataclass is being made, say) ends by SIGINT
    even if it handled the interrupt and asked for exit code 130 (CPython, pythonrun.c, run_eval_code_obj).
    """
    return _SIGNALLED - code if code < 0 else code


def _outcome(code: int, said: _Said, reason: str | None) -> BuildOutcome:
    if (summary := said.summary()) is not None:
        built, not_loaded = summary
        text = f"{built}\nSome parts did not load: {not_loaded}" if not_loaded else built
        return BuildOutcome(True, code, text, not_loaded)
    if reason is not None:
        return BuildOutcome(
            False, code, f"The build {reason}; the old index, if there is one, is still used."
        )
    return BuildOutcome(False, code, said.last_words() or f"oblist index ended with exit code {code}.")


def _built(summary: dict[str, Any]) -> str:
    """A line that says what was built."""
    counts = ", ".join(
        f"{summary[what]:,} {what}" for what in ("symbols", "definitions", "references", "problems")
    )
    return f"{summary['path']}: {counts} in {summary['seconds']:.1f} s"


def _not_loaded(summary: dict[str, Any]) -> str:
    """What did not load, and why, in a line; empty if everything did."""
    problems = [one["problem"] for one in summary["not_loaded"]]
    failed = [_failure(same) for same in same_failures(problems, _cause)]
    more = f"; and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else ""
    return f"{'; '.join(failed[:_MOST_NAMED])}{more}"


def _cause(problem: dict[str, Any]) -> Hashable:
    return cause(*(problem[field] for field in ("part", "condition", "message", "path", "line")))


def _failure(same: list[dict[str, Any]]) -> str:
    problem = same[0]
    names = names_of(problem["part"], [one["subject"] for one in same]).removeprefix("the ")
    reason = " ".join(f"{problem['condition']}: {problem['message']}".split())
    return f"{names} ({reason[:_MOST_REASON]})"
