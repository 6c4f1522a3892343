"""The command ``diff``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..index.not_found import NotFound
from ..index.reading import Reading
from ..terminal.display_options import display_options
from ..terminal.exit_codes import EXIT_NOT_FOUND
from ..terminal.opening import NoIndexError, catalog_given, opened, slice_path
from ..terminal.options import catalog_file_option, terminal_limit_option
from ..terminal.printing import finish, json_text, lazily, say, say_notes
from ..terminal.stages import stages
from .findings import MAJOR, MINOR, PATCH

_NEVER = "never"


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "-p",
    "--package",
    "packages",
    multiple=True,
    metavar="NAME",
    help="Compare this package; may be repeated.",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="Compare this system's packages; may be repeated.",
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
    type=click.Choice([MAJOR, MINOR, PATCH, _NEVER]),
    default=MAJOR,
    show_default=True,
    help="Exit with 1 if the changes require this version step or a greater one.",
)
@click.option(
    "--users",
    is_flag=True,
    help="List the releases in the catalog that the changes break, with the lines that break.",
)
@terminal_limit_option
@display_options(hidden=True)
@catalog_file_option
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def diff(
    old: str,
    new: str,
    packages: tuple[str, ...],
    systems: tuple[str, ...],
    form: str,
    threshold: str,
    users: bool,
    limit: int,
    as_json: bool,
) -> None:
    """List what changed in the exported API between the indexes OLD and NEW, and which changes break callers.

    OLD and NEW are files, or releases in the catalog: `oblist diff alexandria@1.0.1 alexandria@1.4`. By
    default, the packages of the indexed systems are compared, or all packages if the indexes contain
    only SBCL. Exit code 1: something breaks (see --fail-on), or there is no such package or system.
    """
    if users and packages:
        raise click.UsageError("--users works on whole systems: use --system instead of --package.")
    from . import ask as comparing
    from .text import diff_markdown, diff_text

    with opened(_path(old)) as before, opened(_path(new)) as after:
        if users:
            broken = _report_users(before, after, systems, form, as_json=as_json)
            sys.exit(EXIT_NOT_FOUND if broken and threshold != _NEVER else 0)
        answer = comparing.diff(before, after, packages, systems, limit=limit)

    text = diff_markdown if form == "markdown" else diff_text
    people = lazily(".diff.people:diff_people") if form == "text" else None
    finish(answer, as_json or form == "json", text, people)
    say_notes([answer])
    if not isinstance(answer, NotFound) and comparing.fails(answer, threshold):
        sys.exit(EXIT_NOT_FOUND)


def _report_users(old: Reading, new: Reading, systems: tuple[str, ...], form: str, *, as_json: bool) -> bool:
    """Print the releases that the changes break, and return whether there are any."""
    from ..catalog.api import open_catalog
    from ..errors import QueryError
    from ..forecast.text import forecast_markdown, forecast_text
    from ..forecast.users import forecast_for_users

    try:
        with open_catalog(catalog_given()) as catalog, stages() as stage:
            answers = forecast_for_users(old, new, catalog, stage, systems)
    except QueryError as error:
        raise NoIndexError(str(error)) from error
    text = forecast_markdown if form == "markdown" else forecast_text
    say(json_text(answers) if as_json or form == "json" else text(answers) or "No release uses it.")
    return any(one.breaking for one in answers)


def _path(text: str) -> str:
    """The path of the index that ``text`` names: a file, or a release in the catalog."""
    is_release = "@" in text and "/" not in text and not Path(text).exists()
    return slice_path(text) if is_release else text
