"""The command ``diff``."""

from __future__ import annotations

import sys

import click

from ..index.not_found import NotFound
from ..terminal.exit_codes import EXIT_NOT_FOUND
from ..terminal.opening import opened
from ..terminal.options import terminal_limit_option
from ..terminal.printing import finish
from .answer import DiffAnswer
from .findings import MAJOR, MINOR, PATCH


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "-p", "--package", "packages", multiple=True, metavar="NAME", help="Compare this package; repeatable."
)
@click.option(
    "--system", "systems", multiple=True, metavar="NAME", help="Compare this system's packages; repeatable."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="The output format; markdown is for a changelog.",
)
@click.option(
    "--fail-on",
    "threshold",
    type=click.Choice([MAJOR, MINOR, PATCH, "never"]),
    default=MAJOR,
    show_default=True,
    help="Exit with 1 if the changes require this version step or a greater one.",
)
@terminal_limit_option
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def diff(
    old: str,
    new: str,
    packages: tuple[str, ...],
    systems: tuple[str, ...],
    form: str,
    threshold: str,
    limit: int,
    as_json: bool,
) -> None:
    """List what changed in the exported API between the indexes OLD and NEW, and which changes break callers.

    By default, compares the packages of the systems that were indexed, or all packages if the indexes
    contain only SBCL. Exit code 1: something breaks (see --fail-on), or there is no such package or system.
    """
    from . import ask as comparing
    from .text import diff_markdown, diff_text

    with opened(old) as before, opened(new) as after:
        answer = comparing.diff(before, after, packages, systems, limit=limit)

    def text() -> str:
        assert isinstance(answer, DiffAnswer)
        return diff_markdown(answer) if form == "markdown" else diff_text(answer)

    finish(answer, as_json or form == "json", text)
    if isinstance(answer, NotFound):
        return
    if answer.note:
        click.echo(f"note: {answer.note}", err=True)
    if comparing.fails(answer, threshold):
        sys.exit(EXIT_NOT_FOUND)
