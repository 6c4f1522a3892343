"""The command ``search``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened_all
from ...terminal.printing import finish, say_notes
from ...terminal.question_command import ask, asks_several
from .parameters import SearchParameters
from .text import search_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View
    from .answer import SearchAnswer


@asks_several(SearchParameters)
def search(asked: SearchParameters, paths: tuple[str, ...], as_json: bool) -> None:
    """Find symbols by WORDS in their names, then in arglists and documentation, or functions by signature.

    The words may come in any order and with any ending: `hash keys` finds hash-table-keys. A signature may
    also come after two colons: `oblist search ':: string -> pathname'`, `oblist search 'sort :: (list, _)'`.
    Arguments may be in any order and fewer than a function has; _ is any type, and 3 stands for any three
    arguments.
    """
    if not asked.words:
        raise click.UsageError("Give WORDS, or --signature.")

    def people(answer: SearchAnswer, view: View) -> Iterable[Line]:
        from .people import search_people

        return search_people(answer, view)

    with opened_all(paths) as index:
        answer = ask(index, asked)
    finish(answer, as_json, search_text, people, upcase=index.upcase)
    say_notes([answer])
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)
