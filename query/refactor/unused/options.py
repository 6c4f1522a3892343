"""The options of a proof of what is unused."""

from __future__ import annotations

from typing import TypedDict

import click

from ...terminal.display_options import adding

_SECONDS = 3_600.0


class ProofOptions(TypedDict):
    """The values of the options; ``project`` is a folder."""

    prove: bool
    test: bool
    most: int | None
    seconds: float
    diff: bool
    write: bool
    project: str | None


proof_options = adding(
    click.option(
        "--prove",
        is_flag=True,
        help="Try deleting unused definitions in a copy, which is then built: this runs the project's code.",
    ),
    click.option(
        "--test", is_flag=True, help="Prove the change, and run the systems' tests before and after it."
    ),
    click.option(
        "--most", metavar="N", type=click.IntRange(min=1), help="Try to delete at most N definitions."
    ),
    click.option(
        "--prove-timeout",
        "seconds",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        default=_SECONDS,
        show_default=True,
        help="Seconds allowed for all builds of a proof.",
    ),
    click.option(
        "--diff",
        is_flag=True,
        help="With --prove: show, as a diff, the deletion of the certainly unused definitions.",
    ),
    click.option(
        "--write",
        is_flag=True,
        help="With --prove: delete the certainly unused definitions, either in all files or in none.",
    ),
    click.option(
        "--project", metavar="FOLDER", help="The project's folder (default: the one that contains the index)."
    ),
)
"""Adds the options."""
