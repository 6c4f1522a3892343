"""Opening the index that a command queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from ..api import Index, open_index
from ..errors import QueryError, RootsError
from ..index.shown import shown_name
from ..index.value_source import ValueSource
from .exit_codes import EXIT_NO_INDEX
from .options import ROOTS


class NoIndexError(click.ClickException):
    """There is no usable index; the command line prints the message and exits with 3."""

    exit_code = EXIT_NO_INDEX

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr."""
        click.echo(f"oblist: {self.format_message()}", err=True)


def roots_given() -> dict[str, str] | None:
    """The roots that --root names in the current command."""
    return click.get_current_context().meta.get(ROOTS)


@contextmanager
def opened(path: str | None, values: Callable[[str], ValueSource] | None = None) -> Iterator[Index]:
    """Open the index to query, with ``values``; a missing or unusable one ends the command with code 3."""
    roots = roots_given()
    try:
        with open_index(path, roots=roots, values=values) as index:
            if index.broken:
                click.echo(f"note: this index is out of date: {shown_name(index.broken)}", err=True)
            yield index
    except RootsError as error:
        raise click.UsageError(str(error)) from error
    except QueryError as error:
        raise NoIndexError(str(error)) from error
