"""The commands that ask an index: describe, apropos, info."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import IO, Any, ParamSpec, TypeVar

import click

from .answers import NotFound
from .apropos import SCOPES
from .cli import EXIT_NO_INDEX, EXIT_NOT_FOUND, EXIT_USAGE
from .errors import QueryError
from .index import Index, open_index
from .render import apropos_text, describe_text, for_terminal, information_text, not_found_text

_TERMINAL_LIMIT = 200
_P = ParamSpec("_P")
_R = TypeVar("_R")


class NoIndexError(click.ClickException):
    """An index that cannot be used, as the command line says it."""

    exit_code = EXIT_NO_INDEX

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr."""
        click.echo(f"oblist: {self.format_message()}", err=True)


@contextmanager
def _opened(path: str | None) -> Iterator[Index]:
    try:
        with open_index(path) as index:
            yield index
    except QueryError as error:
        raise NoIndexError(str(error)) from error


def _answer_options(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """The options that every command that answers has."""

    @click.option("--index", "path", metavar="FILE", help="The index to ask (default: see `oblist info`).")
    @click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
    @wraps(command)
    def with_options(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        return command(*args, **kwargs)

    return with_options


def _say(text: str) -> None:
    click.echo(for_terminal(text) if sys.stdout.isatty() else text)


def _json(answer: object, *, indent: bool = True) -> str:
    import orjson

    try:
        return orjson.dumps(answer, option=orjson.OPT_INDENT_2 if indent else None).decode()
    except TypeError:  # a lone surrogate, from an argument that is no UTF-8
        import json
        from dataclasses import asdict

        return json.dumps(asdict(answer), indent=2 if indent else None)  # type: ignore[call-overload]


def _finish(answer: object, as_json: bool, text: Callable[[], str]) -> None:
    """Print an answer and end with its exit code."""
    if as_json:
        _say(_json(answer))
    elif isinstance(answer, NotFound):
        _say(not_found_text(answer))
    else:
        _say(text())
    if isinstance(answer, NotFound):
        sys.exit(EXIT_USAGE if answer.error == "invalid-type" else EXIT_NOT_FOUND)


@click.command()
@click.argument("name", required=False)
@click.option("-p", "--package", default="CL-USER", show_default=True, help="Package to look the name up in.")
@click.option(
    "--batch",
    type=click.File(),
    metavar="FILE",
    help="Names one a line (- for standard input); JSON lines out.",
)
@_answer_options
def describe(name: str | None, package: str, batch: IO[str] | None, path: str | None, as_json: bool) -> None:
    """Say what NAME is: its type, lambda list, documentation and source.

    NAME is typed as in Lisp: mapcar, cl:mapcar, alexandria::flatten, :test, '|odd Name|',
    '(setf gethash)'.
    """
    if (name is None) == (batch is None):
        raise click.UsageError("Give a NAME, or --batch FILE.")
    with _opened(path) as index:
        if batch is not None:
            sys.exit(_batch(index, package, batch))
        answer = index.describe(name or "", package)
    _finish(answer, as_json, lambda: describe_text(answer))  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and answer.note:
        click.echo(f"note: {answer.note}", err=True)


def _batch(index: Index, package: str, names: Iterable[str]) -> int:
    """Describe every name, one JSON line each, in order; the exit code of the whole."""
    code = 0
    for line in names:
        answer = index.describe(line.rstrip("\n"), package)
        if isinstance(answer, NotFound):
            code = EXIT_NOT_FOUND
        click.echo(_json(answer, indent=False))
    return code


@click.command()
@click.argument("pattern")
@click.option("-p", "--package", help="Look among the symbols accessible in this package.")
@click.option(
    "-t", "--type", "kind", metavar="TYPE", help="function, macro, variable, class or generic-function."
)
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="accessible",
    show_default=True,
    help="With --package: which of its symbols.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    help="At most so many; 0 for all (default: 200 on a terminal, else all).",
)
@click.option("--offset", type=click.IntRange(min=0), default=0, help="Leave out so many at the front.")
@_answer_options
def apropos(
    pattern: str,
    package: str | None,
    kind: str | None,
    scope: str,
    limit: int | None,
    offset: int,
    path: str | None,
    as_json: bool,
) -> None:
    """List the symbols whose names contain PATTERN, in any case.

    Without --package: the external symbols of all packages.
    """
    if limit is None:
        limit = _TERMINAL_LIMIT if sys.stdout.isatty() else 0
    with _opened(path) as index:
        answer = index.apropos(pattern, package, kind, scope=scope, limit=limit, offset=offset)
    _finish(answer, as_json, lambda: apropos_text(answer))  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)


@click.command()
@_answer_options
def info(path: str | None, as_json: bool) -> None:
    """Say what an index holds, when it was built, and from which SBCL.

    The index read is --index, else $OBLIST_INDEX, else .oblist/oblist.db in this folder or the
    nearest above it that is yours, else the one in your data folder.
    """
    with _opened(path) as index:
        answer = index.information()
    _finish(answer, as_json, lambda: information_text(answer))
