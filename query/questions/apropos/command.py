"""The command ``apropos``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened_all
from ...terminal.printing import finish, on_terminal, say_notes
from ...terminal.question_command import ask, asks_several
from .parameters import AproposParameters
from .text import apropos_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View
    from .answer import AproposAnswer


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

    def people(answer: AproposAnswer, _: View) -> Iterable[Line]:
        from .people import apropos_people

        return apropos_people(answer, names)

    finish(answer, as_json, apropos_text, people)
    say_notes([answer])
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)
