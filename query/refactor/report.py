"""What a command that changes a project shows: its changes as a diff, and what became of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn

import click

from ..index.shown import counted
from ..terminal.exit_codes import EXIT_NOT_FOUND
from ..terminal.printing import json_text, say
from .outcome import Outcome
from .plan import PlannedPlace

_MOST_SHOWN = 20


def report(outcome: Outcome, *, as_json: bool) -> None:
    """Show an outcome: the changes that are not written as a diff, and a line on standard error.

    Ends with exit code 1 if it was refused, or if the proof found a difference.
    """
    plan, changes = outcome.plan, outcome.changes
    if as_json:
        say(json_text(outcome.json()))
    if outcome.refused:
        _refuse(outcome)
    if not as_json and not outcome.written:
        for path, change in changes.items():
            click.echo(change.difference(shown_path(path)), nl=False)
    for difference in outcome.differences:
        click.echo(f"oblist: {difference}", err=True)
    if outcome.differences:
        end("the project would not be the same: nothing was written")
    places = f"{counted(plan.count, 'place')} in {counted(len(changes), 'file')}"
    proof = ""
    if outcome.proved:
        proof = "; the project is the same but for the names" if plan.renamed else "; the project is the same"
    did = "changed" if outcome.written else "--write would change"
    click.echo(f"oblist: {did} {places}{proof}", err=True)
    if plan.documented:
        count = len(plan.documented)
        more = f"{count} places in comments and documentation name it, too: --docs changes them"
        if count == 1:
            more = "a place in comments or documentation names it, too: --docs changes it"
        click.echo(f"oblist: {more}", err=True)


def end(message: str) -> NoReturn:
    """Say why nothing was changed, and end with exit code 1."""
    click.echo(f"oblist: {message}", err=True)
    sys.exit(EXIT_NOT_FOUND)


def _refuse(outcome: Outcome) -> NoReturn:
    for one in _told(outcome.plan.unplaced):
        click.echo(one, err=True)
    places = counted(len(outcome.plan.unplaced), "place")
    end(
        f"{outcome.plan.subject} is not changed: {places} may name it without being changed. "
        "Look at them, then give --leave-unplaced."
    )


def _told(places: Sequence[PlannedPlace]) -> Iterator[str]:
    for one in places[:_MOST_SHOWN]:
        place = ":".join(map(str, filter(None, (one.path, one.line, one.column))))
        yield ": ".join(filter(None, (place, one.why, one.text)))
    if len(places) > _MOST_SHOWN:
        yield f"... and {len(places) - _MOST_SHOWN} more"


def shown_path(path: str) -> str:
    """A path from the working folder on, if it is below that."""
    folder = f"{os.path.realpath(os.curdir)}{os.sep}"
    return path.removeprefix(folder)
