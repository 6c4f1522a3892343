"""The command ``setup``."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ..terminal.exit_codes import EXIT_NO_INDEX, EXIT_NOT_FOUND, EXIT_USAGE
from ..terminal.printing import json_text, say, say_note
from ..terminal.stages import stages
from .building import build_first_index
from .client import SORTS, Client
from .clients.table import CLIENTS
from .errors import SetupError
from .place import SetupPlace, this_place
from .plan import FileChange, planned, taken_back
from .record import SetupRecord
from .report import ClientReport, Standing, reported
from .writing import take_back, write

_TITLES = dict(zip(SORTS, ("Agents", "Editors", "CI"), strict=True))
_Changes = Sequence[tuple[Client, FileChange]]
_RUNS_CODE = "building it loads the systems of the project, so it runs their code"


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--write", "writing", is_flag=True, help="Write the files, and build a first index if there is none."
)
@click.option("--undo", is_flag=True, help="Undo the setup: restore the former contents of the files.")
@click.option(
    "--check", is_flag=True, help="Start the servers as the clients would, and ask each a question."
)
@click.option(
    "--replace",
    is_flag=True,
    help="Also replace entries that set up oblist in another way; with --undo, remove them.",
)
@click.option("--no-index", is_flag=True, help="Build no index.")
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The folder of the project (default: the one around the working folder).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def setup(
    names: tuple[str, ...],
    writing: bool,
    undo: bool,
    check: bool,
    replace: bool,
    no_index: bool,
    project: Path | None,
    as_json: bool,
) -> None:
    """Set up clients of oblist: agents, editors and CI.

    Without a NAME, list the clients; those that are installed come first. With NAMEs, show what
    would change in each file, as a diff; --write makes the changes. The rest of each file, including
    its comments, is left unchanged. --undo reverts the changes. With --write, the first index of the
    project is also built if the client needs one: this runs the project's code.

    Exit codes: 1 a check failed; 2 a file cannot be read or written; 3 the index was not built.
    """
    _refuse_together(writing=writing, undo=undo, check=check)
    clients = [_client(name) for name in dict.fromkeys(names)]
    place, record = this_place(project), SetupRecord()
    try:
        if check or not clients:
            if writing or undo or replace:
                raise click.UsageError(f"Name the clients, such as: {' '.join(_some(place))}.")
            _list(clients, place, record, check=check, as_json=as_json)
        elif undo:
            _undo(
                [(one, taken_back(one, place, record, replace=replace)) for one in clients],
                record,
                as_json=as_json,
            )
        else:
            pairs = [(one, planned(one, place, record, replace=replace)) for one in clients]
            _set_up(pairs, record, writing=writing, as_json=as_json)
            if not no_index and not place.has_index and any(client.needs_index for client in clients):
                _first_index(place, writing=writing)
    except SetupError as error:
        click.echo(f"oblist: {error}", err=True)
        sys.exit(EXIT_USAGE)


def _refuse_together(**options: bool) -> None:
    given = [f"--{name}" if name != "writing" else "--write" for name, on in options.items() if on]
    if len(given) > 1:
        raise click.UsageError(f"Give only one of these: {', '.join(given)}.")


def _client(name: str) -> Client:
    if name in CLIENTS:
        return CLIENTS[name]
    near = difflib.get_close_matches(name, CLIENTS, 1, 0.5) or [
        one for one in CLIENTS if one.startswith(name)
    ]
    hint = f" Did you mean {near[0]}?" if near else ""
    raise click.UsageError(f"There is no client {name!r}.{hint} The clients are: {', '.join(CLIENTS)}.")


def _some(place: SetupPlace) -> list[str]:
    """The clients that are here; else one as an example."""
    return [client.name for client in CLIENTS.values() if client.is_here(place)] or ["claude-code"]


def _list(
    clients: Sequence[Client], place: SetupPlace, record: SetupRecord, *, check: bool, as_json: bool
) -> None:
    reports = []
    with stages() as stage:
        for client in clients or CLIENTS.values():
            if check:
                stage(f"asking {client.title}'s server")
            reports.append(reported(client, place, record, check=check))
    if check and not clients:
        reports = [one for one in reports if one.is_set_up or one.standing is Standing.BROKEN]
    if as_json:
        say(json_text([one.json() for one in reports]))
    elif check:
        for one in reports:
            say(_checked(one))
        if not reports:
            say(f"Nothing is set up for {place.project}. `oblist setup` lists what can be set up.")
    else:
        say(_listing(reports, place))
    if check and (not reports or any(one.answer is None for one in reports)):
        sys.exit(EXIT_NOT_FOUND)


def _checked(one: ClientReport) -> str:
    if one.problem is not None:
        return f"{one.name}: does not work: {one.problem}"
    if one.answer is None:
        return f"{one.name}: not set up. Set it up with: oblist setup {one.name} --write"
    return f"{one.name}: works: {one.answer}"


def _listing(reports: Sequence[ClientReport], place: SetupPlace) -> str:
    width = max(len(one.name) for one in reports)
    lines = [f"Clients for the project {place.project}:"]
    for sort, title in _TITLES.items():
        lines += ["", title]
        for one in sorted((one for one in reports if one.sort == sort), key=lambda one: not one.here):
            here = "" if one.here or one.is_set_up else ", not found here"
            lines.append(f"  {one.name:{width}}  {one.title}: {one.standing.value}{here}")
            if one.problem is not None:
                lines.append(f"  {'':{width}}  {one.problem}")
    unset = [one.name for one in reports if one.here and one.standing is Standing.NOT]
    example = " ".join(unset) or reports[0].name
    lines += [
        "",
        "To see what would be written, run this; to write it, add --write:",
        f"oblist setup {example}",
    ]
    return "\n".join(lines)


def _undo(pairs: _Changes, record: SetupRecord, *, as_json: bool) -> None:
    for _, change in pairs:
        take_back(change, record)
    if as_json:
        _print_json(pairs, written=True)
        return
    for client, one in pairs:
        if one.left is not None:
            click.echo(f"oblist: {one.path} {one.left}", err=True)
        elif one.is_nothing:
            click.echo(f"oblist: {client.name} is not set up", err=True)
        elif one.after is None:
            click.echo(f"oblist: removed {one.path}", err=True)
        elif one.written is not None and one.after == one.written.before:
            click.echo(f"oblist: {one.path} has been restored", err=True)
        else:
            click.echo(f"oblist: removed oblist from {one.path}; the rest is unchanged", err=True)


def _set_up(pairs: _Changes, record: SetupRecord, *, writing: bool, as_json: bool) -> None:
    if writing:
        for _, change in pairs:
            write(change, record)
    if as_json:
        _print_json(pairs, written=writing)
        return
    for client, one in pairs:
        if one.left is not None:
            click.echo(f"oblist: {one.path} {one.left}", err=True)
        elif one.is_nothing:
            click.echo(f"oblist: {client.name} is already set up in {one.path}", err=True)
        elif writing:
            click.echo(f"oblist: wrote {one.path}", err=True)
            for line in client.after:
                say_note(line)
        else:
            click.echo(one.difference(str(one.path)), nl=False)
            click.echo(f"oblist: --write would write {one.path}", err=True)


def _first_index(place: SetupPlace, *, writing: bool) -> None:
    """Build the first index if files were written, and say what that does."""
    if not writing:
        say_note(f"there is no index at {place.index}; --write also builds it, and {_RUNS_CODE}")
        return
    say_note(f"there is no index at {place.index} yet: {_RUNS_CODE}")
    is_asked = sys.stdin is not None and sys.stdin.isatty()
    if is_asked and not click.confirm("Build it now?", default=True, err=True):
        say_note(f"the index was not built; to build it later, run oblist index --project {place.project}")
        return
    with stages() as stage:
        outcome = build_first_index(place, stage)
    if outcome.text:
        click.echo(f"oblist: {outcome.text.removeprefix('oblist: ')}", err=True)
    if not outcome.success:
        click.echo("oblist: the clients are set up, but the index was not built", err=True)
        sys.exit(EXIT_NO_INDEX)


def _print_json(pairs: _Changes, *, written: bool) -> None:
    rows = [
        {
            "name": client.name,
            "file": str(one.path),
            "change": one.difference(str(one.path)),
            "left": one.left,
            "written": written and not one.is_nothing,
        }
        for client, one in pairs
    ]
    say(json_text(rows))
