"""The command ``apropos``."""

from __future__ import annotations

import sys

from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened_all
from ...terminal.printing import finish, lazily, on_terminal, say_notes
from ...terminal.question_command import ask, asks_several
from .parameters import AproposParameters
from .text import apropos_text


@asks_several(AproposParameters)
def apropos(asked: AproposParameters, paths: tuple[str, ...], as_json: bool) -> None:
    """List the symbols whose names contain PATTERN, ignoring case.

    Without --package: the external symbols of all packages.
    """
    names: list[str] = []
    with opened_all(paths) as index:
        answer = ask(index, asked)
        if on_terminal() and not as_json and not isinstance(answer, NotFound):
            from .written import written_names

            names = written_names(answer.matches, index.readings)

    people = lazily(".questions.apropos.people:apropos_people", names=names)
    finish(answer, as_json, apropos_text, people)
    say_notes([answer])
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)
