"""The command ``search``."""

from __future__ import annotations

import sys

import click

from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened_all
from ...terminal.printing import finish, lazily, say_notes
from ...terminal.question_command import ask, asks_several
from .parameters import SearchParameters
from .text import search_text


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

    with opened_all(paths) as index:
        answer = ask(index, asked)
    people = lazily(".questions.search.people:search_people")
    finish(answer, as_json, search_text, people, upcase=index.upcase)
    say_notes([answer])
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)
