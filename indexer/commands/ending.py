"""How commands that build or check end when they cannot do their work: a message, and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from oblist.lisp.sbcl import SbclError

from ..errors import ImageError, IndexerError

EXIT_FAILED = 1
_EXIT_NO_INDEX = 3


class FailureError(click.ClickException):
    """A command that could not do its work, as the command line says it."""

    exit_code = EXIT_FAILED

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr."""
        click.echo(f"oblist: {self.format_message()}", err=True)


class NoIndexError(FailureError):
    """There is no index that could be checked."""

    exit_code = _EXIT_NO_INDEX


@contextmanager
def failures() -> Iterator[None]:
    """Within this, what the indexer and SBCL cannot do ends the command with a message and code 1."""
    try:
        yield
    except (IndexerError, SbclError) as error:
        if isinstance(error, ImageError) and error.output:
            click.echo(f"SBCL said:\n{error.output}\n", err=True)
        raise FailureError(str(error)) from error
