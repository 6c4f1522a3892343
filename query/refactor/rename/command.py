"""The command ``rename``."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from ...edit.changes import Change, EditError, change_of
from ...edit.writing import finish_interrupted, write_changes
from ...index.parameters import PACKAGE
from ...index.reading import Reading
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened
from ...terminal.options import answer_options
from ...terminal.printing import json_text, say
from ..errors import RefactorError
from ..plan import EditPlan, PlannedPlace
from ..project.folder import project_folder
from ..project.texts import ProjectTexts
from ..proof.built import proved
from .local_names import renamed_local
from .symbols import renamed_symbol

_PLACE = re.compile(r"(.+):(\d+):(\d+)")
_MOST_SHOWN = 20


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("-p", "--package", default=PACKAGE, show_default=True, help="The package to look OLD up in.")
@click.option(
    "--project", metavar="FOLDER", help="The project's folder (default: the one that the index is in)."
)
@click.option("--write", is_flag=True, help="Write the changes, in all files or none.")
@click.option(
    "--prove", is_flag=True, help="Build a copy before and after, and compare: this runs the project's code."
)
@click.option("--docs", is_flag=True, help="Also change comments, documentation strings and documents.")
@click.option("--leave-unplaced", is_flag=True, help="Go on although there are uses that no text names.")
@answer_options
def rename(
    old: str,
    new: str,
    package: str,
    project: str | None,
    write: bool,
    prove: bool,
    docs: bool,
    leave_unplaced: bool,
    path: str | None,
    as_json: bool,
) -> None:
    """Show what renames a symbol of a project, or a local name, as a diff; --write makes the changes.

    OLD is a name as typed in Lisp, or FILE:LINE:COLUMN of a local name; NEW is a name without a package. All
    that reads as OLD is renamed: definitions, uses, quoted and template symbols, names in the forms of
    packages, and what a structure makes from its name. Local names, keywords and initargs stay as they are.
    It refuses if NEW is not free, or if something may name OLD that is not written there.
    Exit code 1: refused.
    """
    with opened(path) as index:
        try:
            folder = project_folder(index, project)
            if write:
                _finish(folder)
            plan = _plan(index, folder, old, new, package, docs=docs)
            if plan.unplaced and not leave_unplaced:
                _refuse(plan, as_json=as_json)
            differences: list[str] = []
            if prove:
                with _stages() as stage:
                    differences = proved(plan, folder, stage)
            changes = {
                one: change_of(one, plan.texts[one], edits) for one, edits in plan.edits.items() if edits
            }
            if write and not differences:
                write_changes([*changes.values()])
        except (RefactorError, EditError) as error:
            _end(str(error))
    _report(plan, changes, differences, write=write, prove=prove, as_json=as_json)


def _plan(index: Reading, folder: Path, old: str, new: str, package: str, *, docs: bool) -> EditPlan:
    texts = ProjectTexts(index, str(folder))
    place = _PLACE.fullmatch(old)
    if place is None:
        return renamed_symbol(texts, old, new, package, docs=docs)
    one = texts.file(os.path.realpath(place[1]))
    if not Path(one.path).is_relative_to(folder):
        raise RefactorError(f"{one.path} is outside of {folder}")
    line, column = int(place[2]), int(place[3])
    if not 1 <= line <= len(one.lines):
        raise RefactorError(f"{one.path} has no line {line}")
    plan = renamed_local(texts, one, one.lines.start(line) + column - 1, new)
    if plan is None:
        raise RefactorError(f"there is no local name at {old}")
    return plan


def _finish(folder: Path) -> None:
    """Finish what a process that was killed was about to write."""
    folders = {Path(parent) for parent, _, _ in os.walk(folder)}
    for path in finish_interrupted(folders):
        raise RefactorError(f"finished the interrupted change of {path}; build the index again")


def _end(message: str) -> NoReturn:
    click.echo(f"oblist: {message}", err=True)
    sys.exit(EXIT_NOT_FOUND)


def _refuse(plan: EditPlan, *, as_json: bool) -> NoReturn:
    if as_json:
        say(json_text(_as_json(plan, {}, [], written=False, refused=True)))
    for one in _told(plan.unplaced):
        click.echo(one, err=True)
    count = len(plan.unplaced)
    places = "place" if count == 1 else "places"
    _end(
        f"{plan.old} is not renamed: {count} {places} may name it without being changed. "
        "Look at them, then give --leave-unplaced."
    )


def _told(places: Sequence[PlannedPlace]) -> Iterator[str]:
    for one in places[:_MOST_SHOWN]:
        yield (
            f"{one.path}:{one.line}:{one.column}: {one.why}: {one.text}"
            if one.why
            else (f"{one.path}:{one.line}:{one.column}: {one.text}")
        )
    if len(places) > _MOST_SHOWN:
        yield f"... and {len(places) - _MOST_SHOWN} more"


def _report(
    plan: EditPlan,
    changes: dict[str, Change],
    differences: list[str],
    *,
    write: bool,
    prove: bool,
    as_json: bool,
) -> None:
    written = write and not differences
    if as_json:
        say(json_text(_as_json(plan, changes, differences, written=written, refused=False)))
    else:
        for one, change in changes.items() if not written else ():
            click.echo(change.difference(_shown(one)), nl=False)
    for one in differences:
        click.echo(f"oblist: {one}", err=True)
    if differences:
        _end("the project would not be the same: nothing was written")
    files = f"{len(changes)} file{'' if len(changes) == 1 else 's'}"
    places = f"{plan.count} place{'' if plan.count == 1 else 's'} in {files}"
    proof = "; the project is the same but for the names" if prove else ""
    did = "changed" if written else "--write would change"
    click.echo(f"oblist: {did} {places}{proof}", err=True)
    if plan.documented:
        count = len(plan.documented)
        more = f"{count} places in comments and documentation name it, too: --docs changes them"
        if count == 1:
            more = "a place in comments or documentation names it, too: --docs changes it"
        click.echo(f"oblist: {more}", err=True)


def _shown(path: str) -> str:
    """A path from the working folder on, if it is below that."""
    folder = f"{os.path.realpath(os.curdir)}{os.sep}"
    return path.removeprefix(folder)


@contextmanager
def _stages() -> Iterator[Callable[[str], None]]:
    """Show the stages of a proof, if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("starting") as status:
        yield status.update


def _as_json(
    plan: EditPlan, changes: dict[str, Change], differences: list[str], *, written: bool, refused: bool
) -> dict[str, object]:
    return {
        "old": plan.old,
        "new": plan.new,
        "derived": dict(plan.derived),
        "edits": [
            {"path": path, "start": edit.start, "end": edit.end, "new": edit.new}
            for path, edits in plan.edits.items()
            for edit in edits
        ],
        "unplaced": [_place(one) for one in plan.unplaced],
        "documented": [_place(one) for one in plan.documented],
        "differences": differences,
        "refused": refused or bool(differences),
        "written": written,
    }


def _place(one: PlannedPlace) -> dict[str, object]:
    return {"path": one.path, "line": one.line, "column": one.column, "text": one.text, "why": one.why}
