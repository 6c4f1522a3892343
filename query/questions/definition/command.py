"""The command ``definition``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING

from ...index.not_found import NotFound
from ...index.standpoint.seen_from import seen_lines
from ...terminal.batch import answer_batch
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened
from ...terminal.options import batch_option, refuse_unless_one
from ...terminal.printing import json_text, say, say_notes, say_what_lacks, show, told_elsewhere
from ...terminal.question_command import ask, asks
from .names import split_at_commas
from .parameters import DefinitionParameters
from .text import definition_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View
    from .answer import DefinitionTextAnswer


@asks(DefinitionParameters, batch=True, many=True)
@batch_option
def definition(
    asked: DefinitionParameters,
    names: tuple[str, ...],
    batch: IO[bytes] | None,
    path: str | None,
    as_json: bool,
) -> None:
    """Show the text of all definitions of every NAME, methods included, as Markdown.

    Names may also be separated by commas. A placeholder stands for a definition whose source text is
    not available. If there is no such symbol, NAME may be the name or a nickname of a package. With
    --json, the answer is a list with one item per name. Exit code 1: no name was found.
    """
    wanted = [name for argument in names for name in split_at_commas(argument)]
    refuse_unless_one(", ".join(wanted) or None, batch)
    with opened(path) as index:

        def answered(name: str) -> DefinitionTextAnswer | NotFound:
            return ask(index, replace(asked, name=name))

        if batch is not None:
            sys.exit(answer_batch(batch, answered))
        answers = [told_elsewhere(answered(name), name) for name in wanted]
    say_what_lacks(answers)
    if as_json:
        say(json_text(answers))
    else:
        show(lambda: _text(wanted, answers), lambda view: _people(answers, view), index)
    say_notes(answers)
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
