"""Opening the index that a command queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Literal

import click

from ..api import Index, open_index
from ..errors import IndexDamagedError, LateAnswerError, QueryError, ReleaseError, RootsError
from ..index.damage import raise_damage
from ..index.not_found import NotFound
from ..index.shown import shown_name
from .exit_codes import EXIT_NO_INDEX, EXIT_NOT_FOUND
from .options import RELEASE, ROOTS, SEEN_FROM, WITH_CATALOG
from .printing import CATALOG, finish, say_note
from .time_limit import VARIABLE

if TYPE_CHECKING:
    from ..index.reading import Reading
    from ..index.value_source import ValueSource
    from ..indexes import Indexes


_READINGS = "oblist readings"


class NoIndexError(click.ClickException):
    """There is no usable index; the command line prints the message and exits with 3."""

    exit_code = EXIT_NO_INDEX

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr."""
        click.echo(f"oblist: {self.format_message()}", err=True)


class NoReleaseError(NoIndexError):
    """The catalog has no such release; the command line prints the message and exits with 1."""

    exit_code = EXIT_NOT_FOUND


def raise_no_index(error: BaseException) -> None:
    """Raise NoIndexError if damage of an index that the current command has opened explains an error."""
    try:
        raise_damage(click.get_current_context().meta.get(_READINGS, ()), error)
    except IndexDamagedError as damaged:
        raise NoIndexError(str(damaged)) from error


def note_readings(readings: Iterable[Reading]) -> None:
    """Note which indexes the current command has opened."""
    click.get_current_context().meta.setdefault(_READINGS, []).extend(readings)


def catalog_given() -> str | None:
    """The catalog that --catalog names in the current command."""
    return click.get_current_context().meta.get(CATALOG)


def release_given() -> str | None:
    """The release that --release names in the current command."""
    return click.get_current_context().meta.get(RELEASE)


def slice_path(release: str) -> str:
    """The path of the slice of ``release``; ends the command if the catalog has none."""
    from ..catalog.api import open_slice

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
        raise click.UsageError(
            f"Give --index or --release, not both: --index {path} and --release {release} were given."
        )
    return slice_path(release)


def roots_given() -> dict[str, str] | None:
    """The roots that --root names in the current command."""
    return click.get_current_context().meta.get(ROOTS)


class NoAnswerError(NoIndexError):
    """There was no answer in time; the command line prints the message and exits with 1."""

    exit_code = EXIT_NOT_FOUND

    def __init__(self, error: LateAnswerError) -> None:
        super().__init__(f"{error} To allow more time, set {VARIABLE}=SECONDS.")


@contextmanager
def opened(path: str | None, values: Callable[[str], ValueSource] | None = None) -> Iterator[Index]:
    """Open the index to query, with ``values``; a missing or unusable one ends the command with code 3."""
    roots = roots_given()
    path = index_given(path)
    try:
        with open_index(path, roots=roots, values=values, guess=True) as index:
            note_readings([index])
            if index.broken:
                say_note(f"this index is out of date: {shown_name(index.broken)}")
            _refuse_unknown_standpoint(index)
            yield index
    except RootsError as error:
        raise click.UsageError(str(error)) from error
    except LateAnswerError as error:
        raise NoAnswerError(error) from error
    except QueryError as error:
        raise NoIndexError(str(error)) from error


def _refuse_unknown_standpoint(index: Index) -> None:
    """End the command with an answer if the index lacks the package that --seen-from names."""
    context = click.get_current_context()
    if (package := context.meta.get(SEEN_FROM)) is None:
        return
    from ..index.finding.resolve import package_argument

    if isinstance(unknown := package_argument(index, package), NotFound):
        finish(unknown, bool(context.params.get("as_json")), str, asked=package)


def is_of_several(paths: tuple[str, ...]) -> bool:
    """Whether the current command asks several indexes, or the catalog beside one; ``paths`` is --index."""
    return len(paths) > 1 or bool(click.get_current_context().meta.get(WITH_CATALOG))


@contextmanager
def opened_all(
    paths: tuple[str, ...], values: Callable[[str], ValueSource] | None = None
) -> Iterator[Index | Indexes]:
    """Open what --index names, and the catalog with --with-catalog; one index alone is opened as usual.

    A missing or unusable file ends the command with code 3.
    """
    if not is_of_several(paths):
        with opened(paths[0] if paths else None, values) as index:
            yield index
        return
    if click.get_current_context().meta.get(SEEN_FROM) is not None:
        raise click.UsageError("--seen-from takes one index: give one --index, and no --with-catalog.")
    first = index_given(paths[0] if paths else None)
    asked = paths or ((first,) if first is not None else ())
    with opened_together(asked, _catalog_wanted(), values) as indexes:
        yield indexes


def _catalog_wanted() -> str | Literal[True] | None:
    """The catalog that --with-catalog means."""
    return (catalog_given() or True) if click.get_current_context().meta.get(WITH_CATALOG) else None


@contextmanager
def opened_together(
    paths: tuple[str, ...],
    catalog: str | Literal[True] | None,
    values: Callable[[str], ValueSource] | None = None,
) -> Iterator[Indexes]:
    """Open indexes and a catalog as open_indexes does; an unusable one ends the command with code 3."""
    from ..indexes import open_indexes

    try:
        with open_indexes(paths, catalog=catalog, roots=roots_given(), values=values, guess=True) as indexes:
            note_readings(indexes.readings)
            for index in indexes.indexes:
                if index.broken:
                    named, why = shown_name(str(index.path)), shown_name(index.broken)
                    say_note(f"{named} is out of date: {why}")
            yield indexes
    except RootsError as error:
        raise click.UsageError(str(error)) from error
    except LateAnswerError as error:
        raise NoAnswerError(error) from error
    except QueryError as error:
        raise NoIndexError(str(error)) from error
