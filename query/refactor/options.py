"""The options that all commands share which change a project, and how such a command runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

import click

from oblist.indexer.left_out import REFERENCES

from ..edit.changes import EditError
from ..terminal.display_options import adding
from ..terminal.opening import opened
from ..terminal.options import answer_options
from ..terminal.stages import stages
from .errors import RefactorError
from .outcome import carried_out, finish_interrupted_below
from .plan import EditPlan
from .project.folder import project_folder
from .project.texts import ProjectTexts
from .report import end, report


class ChangeOptions(TypedDict):
    """The values of the options; ``path`` is that of the index."""

    project: str | None
    write: bool
    prove: bool
    test: bool
    leave_unplaced: bool
    path: str | None
    as_json: bool


change_options = adding(
    click.option(
        "--project", metavar="FOLDER", help="The project's folder (default: the one that contains the index)."
    ),
    click.option("--write", is_flag=True, help="Write the changes, either in all files or in none."),
    click.option(
        "--prove",
        is_flag=True,
        help="Build copies of the project with and without the change, and compare them; this runs the "
        "project's code.",
    ),
    click.option(
        "--test", is_flag=True, help="Prove the change, and run the systems' tests before and after it."
    ),
    click.option(
        "--leave-unplaced",
        is_flag=True,
        help="Continue even if places that may refer to the name are left unchanged.",
    ),
    answer_options,
)
"""Adds the options."""


def change_project(planned: Callable[[ProjectTexts], EditPlan], options: ChangeOptions) -> None:
    """Plan a change of a project, carry it out and report it; a refusal ends with exit code 1."""
    with opened(options["path"]) as index, stages() as stage:
        try:
            index.require(REFERENCES)
            folder: Path = project_folder(index, options["project"])
            if options["write"]:
                finish_interrupted_below(folder)
            outcome = carried_out(
                planned(ProjectTexts(index, str(folder))),
                folder,
                stage,
                write=options["write"],
                prove=options["prove"],
                test=options["test"],
                leave_unplaced=options["leave_unplaced"],
            )
        except (RefactorError, EditError) as error:
            end(str(error))
    report(outcome, as_json=options["as_json"])
