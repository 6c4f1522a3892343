"""The command ``affected``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ..check.errors import CheckError
from ..check.settings import find_settings, test_macros_in
from ..errors import QueryError
from ..index.finding.resolve import resolve
from ..index.not_found import NotFound
from ..index.own_folder import own_folder
from ..index.parameters import PACKAGE
from ..index.reading import Reading
from ..terminal.exit_codes import EXIT_USAGE
from ..terminal.opening import opened
from ..terminal.options import answer_options
from ..terminal.printing import json_text, say
from .answer import AffectedAnswer
from .ask import affected as ask
from .differences import between_indexes, since_build, since_revision
from .frameworks import FRAMEWORKS
from .text import affected_text, runner_calls, test_names

_FEW = 50


@click.command()
@click.argument("old", required=False, metavar="[OLD")
@click.argument("new", required=False, metavar="NEW]")
@click.option("--since", metavar="REV", help="Compare with a Git revision, such as HEAD or main.")
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The project's folder (default: the one that contains the index).",
)
@click.option(
    "--tests", "only_tests", is_flag=True, help="Print the names of the tests to run, one per line."
)
@click.option(
    "--format",
    "framework",
    type=click.Choice([one.name for one in FRAMEWORKS]),
    help="Print the calls that run the tests of this framework.",
)
@click.option(
    "--limit", default=_FEW, show_default=True, help="Show at most N forms that are not tests; 0 for all."
)
@answer_options
def affected(
    old: str | None,
    new: str | None,
    since: str | None,
    project: Path | None,
    only_tests: bool,
    framework: str | None,
    limit: int,
    path: str | None,
    as_json: bool,
) -> None:
    """List what a change to the project can affect: tests to run and other code, each with the path of
    uses that leads to it.

    The change is the difference between the files as they are now and the index or, with --since, a Git
    revision. With OLD and NEW, it is the difference between these two indexes of the project. Callers
    are followed, including through macros, methods, subclasses and variables. If the change may reach
    everything, or code that looks names up at run time, the answer says so, and --tests prints all
    tests.
    """
    if old is not None and (new is None or since is not None or path is not None):
        raise click.UsageError("OLD needs NEW, and cannot be combined with --since or --index.")
    with opened(new if new is not None else path) as index:
        folder = str(project.resolve()) if project is not None else _folder(index)
        try:
            settings = find_settings(Path(folder))
            macros = _test_macros(index, settings) if settings is not None else []
            if old is not None:
                with opened(old) as before:
                    pairs = between_indexes(before, _folder(before), index, folder)
            else:
                pairs = since_build(index, folder) if since is None else since_revision(folder, since)
        except (QueryError, CheckError) as error:
            click.echo(f"oblist: {error}", err=True)
            sys.exit(EXIT_USAGE)
        answer = ask(index, folder, pairs, limit or None, macros)
    _print(answer, only_tests=only_tests, framework=framework, as_json=as_json)


def _folder(index: Reading) -> str:
    folder = own_folder(index)
    if folder is None:
        raise click.UsageError(
            f"{index.path} is not the index of a single project: name the project's folder with --project."
        )
    return os.path.realpath(folder)


def _test_macros(index: Reading, settings: Path) -> list[int]:
    """The symbols of the macros that the settings name. Raises CheckError if the index has none of a name."""
    found = []
    for name in test_macros_in(settings):
        symbol = resolve(index, name, PACKAGE)
        if isinstance(symbol, NotFound):
            raise CheckError(f"{settings}: [affected] tests: {symbol.message}. {symbol.reason}")
        found.append(symbol.symbol)
    return found


def _print(answer: AffectedAnswer, *, only_tests: bool, framework: str | None, as_json: bool) -> None:
    if as_json:
        say(json_text(answer))
        return
    if not (only_tests or framework):
        say(affected_text(answer))
        return
    for why in answer.everything:
        click.echo(f"oblist: all tests: {why}", err=True)
    for line in runner_calls(answer, framework) if framework else test_names(answer):
        say(line)
    if not answer.tests_total:
        click.echo(
            "oblist: the index has no tests that oblist recognizes; index the project with --tests", err=True
        )
