"""The command ``forecast``."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..check.errors import CheckError
from ..errors import QueryError
from ..index.own_folder import own_folder
from ..index.reading import Reading
from ..terminal.exit_codes import EXIT_NOT_FOUND, EXIT_USAGE
from ..terminal.opening import NoIndexError, opened, slice_path
from ..terminal.options import answer_options
from ..terminal.printing import json_text, say, say_note, show
from ..terminal.stages import stages
from .answer import ForecastAnswer

if TYPE_CHECKING:
    from ..check.findings import SourceFinding

_EXPLAINED = "docs/forecast.md"
_FORMATS = ("text", "markdown", "json", "github", "sarif", "junit")


@click.command()
@click.argument("new", nargs=-1, metavar="[NEW]...")
@click.option(
    "--newest",
    is_flag=True,
    help="For every library that is used, also try its newest release in the catalog.",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="Compare this system of NEW (default: those for which NEW was built); may be repeated.",
)
@click.option("--dependencies", is_flag=True, help="Also check the other libraries in the index.")
@click.option("--format", "shape", type=click.Choice(_FORMATS), help="Report in this format (default: text).")
@answer_options
def forecast(
    new: tuple[str, ...],
    newest: bool,
    systems: tuple[str, ...],
    dependencies: bool,
    shape: str | None,
    path: str | None,
    as_json: bool,
) -> None:
    """List the lines of a project that break when a library that it uses is replaced by the version in
    NEW.

    NEW is an index of the new version, a release of the catalog (drakma@2.0.9), a folder with the
    library's sources, or an SBCL; a folder is indexed first, which runs its code. No code of the
    project is run: its text is checked against the new version, and its uses of everything that changed
    are found. Exit code 1: something breaks.
    """
    if not new and not newest:
        raise click.UsageError("Missing argument 'NEW...' or option --newest.")
    if as_json and shape not in (None, "json"):
        raise click.UsageError(f"Give --json or --format {shape}, not both.")
    try:
        with opened(path) as index:
            answers = _answers(index, new, systems, newest=newest, dependencies=dependencies)
    except CheckError as error:
        raise click.UsageError(str(error)) from error
    if answers or as_json:
        _report(answers, "json" if as_json else shape or "text")
    if any(one.breaking for one in answers):
        sys.exit(EXIT_NOT_FOUND)


def _answers(
    index: Reading, new: tuple[str, ...], systems: tuple[str, ...], *, newest: bool, dependencies: bool
) -> list[ForecastAnswer]:
    from .ask import forecast as ask
    from .library import ForecastError
    from .newer import newer_index

    folder = own_folder(index) or Path.cwd()
    wanted = [*new, *(_newest(index) if newest else ())]
    answers = []
    with stages() as stage:
        for one in dict.fromkeys(wanted):
            with ExitStack() as stack:
                try:
                    found = stack.enter_context(newer_index(one, slice_path, stage))
                    stage(f"comparing with {one}")
                    newer = stack.enter_context(Reading(found))
                    answers.append(ask(index, newer, systems, folder=folder, dependencies=dependencies))
                except ForecastError as error:
                    click.echo(f"oblist: {error}", err=True)
                    sys.exit(EXIT_USAGE)
                except QueryError as error:
                    raise NoIndexError(str(error)) from error
    return answers


def _newest(index: Reading) -> list[str]:
    """The newest releases in the catalog of the libraries in the index, where these have other versions."""
    from ..catalog.api import open_catalog
    from ..terminal.opening import catalog_given
    from .newest import newest_releases

    try:
        with open_catalog(catalog_given()) as catalog:
            found = newest_releases(index, catalog)
    except QueryError as error:
        raise NoIndexError(str(error)) from error
    if not found:
        say_note("the catalog has no newer release of any library in the index")
    return found


def _report(answers: list[ForecastAnswer], shape: str) -> None:
    from .text import as_findings, forecast_markdown, forecast_text

    for one in answers:
        if one.note:
            say_note(one.note)
    if shape == "json":
        say(json_text(answers))
    elif shape == "markdown":
        say(forecast_markdown(answers))
    elif shape == "text":
        show(lambda: forecast_text(answers))
    elif text := _as_check(as_findings(answers), shape):
        click.echo(text)


def _as_check(findings: list[SourceFinding], shape: str) -> str:
    from ..check.findings import CheckOutcome
    from ..check.report.formats import report
    from ..check.report.lines import section
    from ..check.report.sarif import ReportedRule
    from ..check.rules.table import RULES
    from .text import SORTS

    rules = [ReportedRule(name, about, "error", _EXPLAINED) for name, about in SORTS.items()]
    rules += [ReportedRule(one.name, one.description, "error", section(one.name)) for one in RULES.values()]
    outcome = CheckOutcome(findings, files=len({one.path for one in findings}))
    return report(outcome, shape, rules=rules)
