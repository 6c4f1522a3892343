"""The commands that ask an index: describe, apropos, info."""

from __future__ import annotations

import sys
from typing import IO

import click

from .answers import NotFound
from .apropos import SCOPES
from .cli import EXIT_NOT_FOUND
from .render import apropos_text, describe_text, information_text
from .surface import answer_batch, answer_options, batch_option, finish, opened, package_option

_TERMINAL_LIMIT = 200


@click.command()
@click.argument("name", required=False)
@package_option
@batch_option
@answer_options
def describe(name: str | None, package: str, batch: IO[str] | None, path: str | None, as_json: bool) -> None:
    """Say what NAME is: its type, lambda list, documentation and source.

    NAME is typed as in Lisp: mapcar, cl:mapcar, alexandria::flatten, :test, '|odd Name|',
    '(setf gethash)'.
    """
    if (name is None) == (batch is None):
        raise click.UsageError("Give a NAME, or --batch FILE.")
    with opened(path) as index:
        if batch is not None:
            sys.exit(answer_batch(batch, lambda name: index.describe(name, package)))
        answer = index.describe(name or "", package)
    finish(answer, as_json, lambda: describe_text(answer))  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and answer.note:
        click.echo(f"note: {answer.note}", err=True)


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
@answer_options
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
    with opened(path) as index:
        answer = index.apropos(pattern, package, kind, scope=scope, limit=limit, offset=offset)
    finish(answer, as_json, lambda: apropos_text(answer))  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)


@click.command()
@answer_options
def info(path: str | None, as_json: bool) -> None:
    """Say what an index holds, when it was built, and from which SBCL.

    The index read is --index, else $OBLIST_INDEX, else .oblist/oblist.db in this folder or the
    nearest above it that is yours, else the one in your data folder.
    """
    with opened(path) as index:
        answer = index.information()
    finish(answer, as_json, lambda: information_text(answer))
