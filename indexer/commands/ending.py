"""Failures of the commands that build or check: a message and an exit code."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from oblist.lisp.sbcl import SbclError

from ..errors import ImageError, IndexerError
from .logs import excerpt, keep_log, log_note

EXIT_FAILED = 1
_EXIT_NO_INDEX = 3


class FailureError(click.ClickException):
    """A failure of a command, as the command line reports it."""

    exit_code = EXIT_FAILED

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr."""
        click.echo(f"oblist: {self.format_message()}", err=True)


class NoIndexToCheckError(FailureError):
    """There is no index to check."""

    exit_code = _EXIT_NO_INDEX


def print_output(error: Exception) -> None:
    """Print on stderr the last lines that SBCL said before ``error``, if they are known."""
    if isinstance(error, ImageError) and error.output:
        where = keep_log([error.output])
        said = "\n".join(excerpt(error.output))
        click.echo(f"The last output of SBCL was:\n{said}\n{log_note(where)}", err=True)


@contextmanager
def failures() -> Iterator[None]:
    """Turn errors of the indexer and of SBCL into a message and exit code 1."""
    try:
        yield
    except (IndexerError, SbclError) as error:
        print_output(error)
        raise FailureError(str(error)) from error


@contextmanager
def tidy_end() -> Iterator[None]:
    """Make SIGTERM end the build as Ctrl-C does: nothing half-built is left behind."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
