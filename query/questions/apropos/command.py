"""The command ``apropos``."""

from __future__ import annotations

import sys

import click

from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened
from ...terminal.options import answer_options, offset_option, terminal_limit_option
from ...terminal.printing import finish
from .ask import SCOPES
from .text import apropos_text


@click.command()
@click.argument("pattern")
@click.option("-p", "--package", help="Search the symbols accessible in this package.")
@click.option(
    "-t",
    "--type",
    "kind",
    metavar="TYPE",
    help="Only symbols of this type: function, macro, variable, class or generic-function.",
)
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="accessible",
    show_default=True,
    help="With --package: which of its symbols to search.",
)
@terminal_limit_option
@offset_option
@answer_options
def apropos(
    pattern: str,
    package: str | None,
    kind: str | None,
    scope: str,
    limit: int,
    offset: int,
    path: str | None,
    as_json: bool,
) -> None:
    """List the symbols whose names contain PATTERN, ignoring case.

    Without --package: the external symbols of all packages.
    """
    with opened(path) as index:
        answer = index.apropos(pattern, package, kind, scope=scope, limit=limit, offset=offset)
    finish(answer, as_json, lambda: apropos_text(answer))  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and answer.note:
        click.echo(f"note: {answer.note}", err=True)
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)
