"""The command ``problems``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal.opening import opened
from ...terminal.options import answer_options, offset_option
from ...terminal.printing import finish
from .text import problems_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View


@click.command()
@click.option("--all", "everything", is_flag=True, help="Also list the problems of SBCL's own sources.")
@click.option(
    "--limit", type=click.IntRange(min=0), default=50, show_default=True, help="Show at most N; 0 for all."
)
@offset_option
@answer_options
def problems(everything: bool, limit: int, offset: int, path: str | None, as_json: bool) -> None:
    """List what could not be loaded, read or placed when the index was built.

    The problems of the project come first, then those of its dependencies. Those of SBCL's own
    sources, which every index has, are only counted.
    """
    with opened(path) as index:
        answer = index.problems(everything=everything, limit=limit, offset=offset)

    def people(view: View) -> list[Line]:
        from .people import problems_people

        return [*problems_people(answer, view, everything=everything)]

    finish(answer, as_json, lambda: problems_text(answer, everything=everything), people)
