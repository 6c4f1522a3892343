"""The command ``query``: the user's own SQL."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from ...errors import StatementError
from ...index.shown import shown_name
from ...terminal.opening import opened
from ...terminal.options import answer_options
from ...terminal.printing import json_text, say, say_note, show
from .answer import QueryAnswer
from .ask import MOST_ROWS, FreeSql
from .text import csv_text, tabbed_text

if TYPE_CHECKING:
    from ..styled import Line

_LIMIT = 1000
_SECONDS = 10.0
_NAME = re.compile(r"[^\W\d]\w*")


def _parameters(_: click.Context, __: click.Parameter, assignments: tuple[str, ...]) -> dict[str, str]:
    values = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals or not _NAME.fullmatch(name):
            raise click.BadParameter(f"{assignment!r} is not NAME=VALUE.")
        values[name] = value
    return values


@click.command("query")
@click.argument("statement", metavar="SQL")
@click.option(
    "-P",
    "--parameter",
    "values",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_parameters,
    help="Set the parameter :NAME of the statement to the text VALUE; may be repeated.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Answer as CSV, with a header line.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=_LIMIT,
    show_default=True,
    help=f"Show at most N rows; 0 for all (never more than {MOST_ROWS:,}).",
)
@click.option(
    "--timeout",
    "seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=_SECONDS,
    show_default=True,
    help="Stop the statement after this many seconds.",
)
@answer_options
def ask(
    statement: str,
    values: dict[str, str],
    as_csv: bool,
    limit: int,
    seconds: float,
    path: str | None,
    as_json: bool,
) -> None:
    """Run your own SQL statement on the index; - reads it from standard input.

    `oblist tools tables` lists the tables; they are described in docs/formats/index.md, and in the table
    descriptions of the index itself.
    The index is read-only: a statement that writes, attaches another file or changes a setting is
    refused. If the output is not a terminal, columns are separated by tabs.
    """
    if as_csv and as_json:
        raise click.UsageError("Give --csv or --json, not both.")
    if statement == "-":
        statement = sys.stdin.read()
    for name in values:
        if not re.search(rf"[:@$]{name}\b", statement):
            raise click.UsageError(f"The statement has no parameter :{name}.")
    with opened(path) as index:
        try:
            answer = FreeSql(index, seconds).rows(statement, values, limit)
        except StatementError as error:
            raise click.UsageError(f"The statement cannot be answered: {shown_name(str(error))}") from error
    if as_json:
        say(json_text(answer))
    elif as_csv:
        click.echo(csv_text(answer), nl=False)
    else:
        show(lambda: tabbed_text(answer), lambda _: _people(answer))
    if answer.truncated:
        say_note(f"there are more rows than the {len(answer.rows):,} shown: raise --limit")


def _people(answer: QueryAnswer) -> list[Line]:
    from ...terminal.wrapping import terminal_width
    from .people import statement_people

    return list(statement_people(answer, terminal_width()))
