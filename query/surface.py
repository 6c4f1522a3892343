"""What all commands that answer share: their options, opening the index, printing an answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import IO, TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from .base_answers import NotFound
from .cli import EXIT_NO_INDEX, EXIT_NOT_FOUND, EXIT_USAGE
from .errors import QueryError, RootsError
from .index import Index, open_index
from .render import for_terminal, not_found_text, shown_name
from .roots import parse_roots

if TYPE_CHECKING:
    from .live import ValueSource

package_option = click.option(
    "-p", "--package", default="CL-USER", show_default=True, help="Package to look the name up in."
)
tool_names_option = click.option(
    "--names",
    type=click.Choice(["snake", "kebab"]),
    default="snake",
    show_default=True,
    help="List the tools as describe_symbol, or as describe-symbol. A call may use either.",
)
batch_option = click.option(
    "--batch",
    type=click.File("rb"),
    metavar="FILE",
    help="Names one a line (- for standard input); JSON lines out.",
)
_ROOTS = "oblist roots"
_TERMINAL_LIMIT = 200
_P = ParamSpec("_P")
_R = TypeVar("_R")


class NoIndexError(click.ClickException):
    """An index that cannot be used, as the command line says it."""

    exit_code = EXIT_NO_INDEX

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr."""
        click.echo(f"oblist: {self.format_message()}", err=True)


def _take_roots(ctx: click.Context, _: click.Parameter, assignments: tuple[str, ...]) -> None:
    """Keep what --root says until the index is opened: no command needs to pass it on."""
    try:
        ctx.meta[_ROOTS] = parse_roots(assignments, "--root")
    except RootsError as error:
        raise click.UsageError(str(error)) from error


roots_option = click.option(
    "--root",
    multiple=True,
    metavar="NAME=PATH",
    expose_value=False,
    callback=_take_roots,
    help="Sources of this root lie below PATH now; may be repeated (default: $OBLIST_ROOTS).",
)


def roots_given() -> dict[str, str] | None:
    """What --root says in the command at hand."""
    return click.get_current_context().meta.get(_ROOTS)


@contextmanager
def opened(path: str | None, values: Callable[[str], ValueSource] | None = None) -> Iterator[Index]:
    """The index to ask, with ``values``; what is wrong with it ends the command with a message and code 3."""
    roots = roots_given()
    try:
        with open_index(path, roots=roots, values=values) as index:
            if index.broken:
                click.echo(f"note: this index is of an earlier state: {shown_name(index.broken)}", err=True)
            yield index
    except RootsError as error:
        raise click.UsageError(str(error)) from error
    except QueryError as error:
        raise NoIndexError(str(error)) from error


def answer_options(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """The options that every command that answers has."""

    @click.option("--index", "path", metavar="FILE", help="The index to ask (default: see `oblist info`).")
    @roots_option
    @click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
    @wraps(command)
    def with_options(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        return command(*args, **kwargs)

    return with_options


def on_terminal() -> bool:
    """Whether a person reads the answer: standard output is there, and a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def _terminal_limit(_: click.Context, __: click.Parameter, limit: int | None) -> int:
    if limit is None:
        return _TERMINAL_LIMIT if on_terminal() else 0
    return limit


terminal_limit_option = click.option(
    "--limit",
    type=click.IntRange(min=0),
    callback=_terminal_limit,
    help=f"At most so many; 0 for all (default: {_TERMINAL_LIMIT} on a terminal, else all).",
)
offset_option = click.option(
    "--offset", type=click.IntRange(min=0), default=0, help="Leave out so many at the front."
)


def say(text: str) -> None:
    """Print text; on a terminal, so that it does nothing to it."""
    click.echo(for_terminal(text) if on_terminal() else text)


def json_text(answer: object, *, indent: bool = True) -> str:
    """An answer, or a list of answers, as JSON."""
    import orjson

    try:
        return orjson.dumps(answer, option=orjson.OPT_INDENT_2 if indent else None).decode()
    except TypeError:  # a lone surrogate, from an argument that is no UTF-8
        import json
        from dataclasses import asdict

        return json.dumps(answer, indent=2 if indent else None, default=asdict)


def finish(answer: object, as_json: bool, text: Callable[[], str]) -> None:
    """Print an answer and end with its exit code."""
    if as_json:
        say(json_text(answer))
    elif isinstance(answer, NotFound):
        say(not_found_text(answer))
    else:
        say(text())
    if isinstance(answer, NotFound):
        sys.exit(EXIT_USAGE if answer.error == "invalid-type" else EXIT_NOT_FOUND)
