"""The command ``examples``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened
from ...terminal.options import answer_options, package_option, seen_from_option
from ...terminal.printing import finish
from .answer import ExamplesAnswer
from .text import examples_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View

_DEFAULT_LIMIT = 5


@click.command()
@click.argument("name")
@package_option
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=_DEFAULT_LIMIT,
    show_default=True,
    help="Show at most N; 0: all.",
)
@click.option(
    "--context",
    type=click.IntRange(min=0, max=100),
    default=0,
    metavar="N",
    help="Show N lines of the file before and after each form.",
)
@seen_from_option
@answer_options
def examples(name: str, package: str, limit: int, context: int, path: str | None, as_json: bool) -> None:
    """Show how the function, macro or class NAME is used: short whole forms that differ from each other."""
    with opened(path) as index:
        answer = index.examples(name, package, limit=limit, context=context)

    def people(view: View) -> list[Line]:
        from .people import examples_people

        assert isinstance(answer, ExamplesAnswer)
        return [*examples_people(answer, view)]

    finish(answer, as_json, lambda: examples_text(answer), people, asked=name)  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and not answer.examples:
        sys.exit(EXIT_NOT_FOUND)
