"""Opening the index that a command queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from ..api import Index, open_index
from ..catalog.api import open_slice
from ..errors import QueryError, ReleaseError, RootsError
from ..index.shown import shown_name
from ..index.value_source import ValueSource
from .exit_codes import EXIT_NO_INDEX, EXIT_NOT_FOUND
from .options import RELEASE, ROOTS
from .printing import CATALOG


class NoIndexError(click.ClickException):
    """There is no usable index; the command line prints the message and exits with 3."""

    exit_code = EXIT_NO_INDEX

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr."""
        click.echo(f"oblist: {self.format_message()}", err=True)


class NoReleaseError(NoIndexError):
    """The catalog has no such release; the command line prints the message and exits with 1."""

    exit_code = EXIT_NOT_FOUND


def catalog_given() -> str | None:
    """The catalog that --catalog names in the current command."""
    return click.get_current_context().meta.get(CATALOG)


def release_given() -> str | None:
    """The release that --release names in the current command."""
    return click.get_current_context().meta.get(RELEASE)


def slice_path(release: str) -> str:
    """The path of the slice of ``release``; ends the command if the catalog has none."""
    try:
        with open_slice(release, catalog_given()) as index:
            return str(index.path)
    except ReleaseError as error:
        raise NoReleaseError(str(error)) from error
    except QueryError as error:
        raise NoIndexError(str(error)) from error


def index_given(path: str | None) -> str | None:
    """The index to ask: ``path``, from --index, or the slice that --release names."""
    if (release := release_given()) is None:
        return path
    if path is not None:
        raise click.UsageError("Give --index or --release, not both.")
    return slice_path(release)


def roots_given() -> dict[str, str] | None:
    """The roots that --root names in the current command."""
    return click.get_current_context().meta.get(ROOTS)


@contextmanager
def opened(path: str | None, values: Callable[[str], ValueSource] | None = None) -> Iterator[Index]:
    """Open the index to query, with ``values``; a missing or unusable one ends the command with code 3."""
    roots = roots_given()
    path = index_given(path)
    try:
        with open_index(path, roots=roots, values=values) as index:
            if index.broken:
                click.echo(f"note: this index is out of date: {shown_name(index.broken)}", err=True)
            yield index
    except RootsError as error:
        raise click.UsageError(str(error)) from error
    except QueryError as error:
        raise NoIndexError(str(error)) from error
