"""The command ``definition``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

import click

from ...index.not_found import NotFound
from ...index.standpoint.seen_from import seen_lines
from ...terminal.batch import answer_batch
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened
from ...terminal.options import (
    answer_options,
    batch_option,
    offset_option,
    package_option,
    refuse_unless_one,
    seen_from_option,
)
from ...terminal.printing import json_text, say, say_note, say_what_lacks, show, told_elsewhere
from .answer import MAX_LENGTH, DefinitionTextAnswer
from .names import split_at_commas
from .text import definition_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View


@click.command()
@click.argument("names", metavar="NAME...", nargs=-1)
@package_option
@click.option("--package-details", is_flag=True, help="Add the symbols that the text names, by package.")
@click.option(
    "--max-length",
    type=click.IntRange(min=0),
    default=MAX_LENGTH,
    show_default=True,
    metavar="N",
    help="Show at most N characters of text per name; 0 for all.",
)
@click.option(
    "--specializers",
    metavar="LIST",
    help="Only methods with these: '(circle t)', 'circle' or ':around circle'; _ is any. EQL specializers "
    'may be typed as in sources: "((eql \'car) t)".',
)
@offset_option
@batch_option
@seen_from_option
@answer_options
def definition(
    names: tuple[str, ...],
    package: str,
    package_details: bool,
    max_length: int,
    specializers: str | None,
    offset: int,
    batch: IO[bytes] | None,
    path: str | None,
    as_json: bool,
) -> None:
    """Show the text of all definitions of every NAME, methods included, as Markdown.

    Names may also be separated by commas. A definition without source text gets a placeholder. A name
    that no symbol has may be that of a package, or a nickname. With --json, the answer is a list with one
    item per name. Exit code 1: none of them was found.
    """
    asked = [name for argument in names for name in split_at_commas(argument)]
    refuse_unless_one(", ".join(asked) or None, batch)
    with opened(path) as index:

        def answered(name: str) -> DefinitionTextAnswer | NotFound:
            return index.definition(
                name,
                package,
                max_length=max_length,
                package_details=package_details,
                specializers=specializers,
                offset=offset,
            )

        if batch is not None:
            sys.exit(answer_batch(batch, answered))
        answers = [told_elsewhere(answered(name), name) for name in asked]
        upcase = index.upcase
    say_what_lacks(answers)
    if as_json:
        say(json_text(answers))
    else:
        show(lambda: _text(asked, answers), lambda view: _people(answers, view), upcase)
    for answer in answers:
        if not isinstance(answer, NotFound) and answer.note:
            say_note(answer.note)
    if all(isinstance(answer, NotFound) or not answer.total for answer in answers):
        sys.exit(EXIT_NOT_FOUND)


def _text(asked: Sequence[str], answers: Sequence[DefinitionTextAnswer | NotFound]) -> str:
    return "\n\n".join(
        "\n".join([definition_text(answer, name), *seen_lines(getattr(answer, "seen_from", None))])
        for name, answer in zip(asked, answers, strict=True)
    )


def _people(answers: Sequence[DefinitionTextAnswer | NotFound], view: View) -> list[Line]:
    from ..styled import BLANK
    from .people import definition_people

    lines: list[Line] = []
    for answer in answers:
        lines += [*([BLANK] if lines else []), *definition_people(answer, view)]
    return lines
