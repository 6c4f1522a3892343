"""The command ``apropos``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened_all
from ...terminal.options import offset_option, seen_from_option, several_options, terminal_limit_option
from ...terminal.printing import finish
from .answer import AproposAnswer
from .choices import SCOPES
from .text import apropos_text

if TYPE_CHECKING:
    from ...several.apropos.answer import SeveralAproposAnswer


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
@seen_from_option
@several_options
def apropos(
    pattern: str,
    package: str | None,
    kind: str | None,
    scope: str,
    limit: int,
    offset: int,
    paths: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the symbols whose names contain PATTERN, ignoring case.

    Without --package: the external symbols of all packages.
    """
    with opened_all(paths) as index:
        answer = index.apropos(pattern, package, kind, scope=scope, limit=limit, offset=offset)
    finish(answer, as_json, lambda: _text(answer))
    if not isinstance(answer, NotFound) and answer.note:
        click.echo(f"note: {answer.note}", err=True)
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)


def _text(answer: AproposAnswer | SeveralAproposAnswer | NotFound) -> str:
    assert not isinstance(answer, NotFound)
    if isinstance(answer, AproposAnswer):
        return apropos_text(answer)
    from ...several.apropos.text import several_apropos_text

    return several_apropos_text(answer)
