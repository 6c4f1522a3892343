"""The command ``search``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ...index.not_found import NotFound
from ...index.reading import Reading
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened_all
from ...terminal.options import offset_option, seen_from_option, several_options
from ...terminal.printing import finish, say_note
from .answer import SearchAnswer
from .text import search_text

if TYPE_CHECKING:
    from ...several.search.answer import SeveralSearchAnswer
    from ..styled import Line
    from ..view import View

_DEFAULT_LIMIT = 20


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=_DEFAULT_LIMIT,
    show_default=True,
    help="Show at most N; 0 for all.",
)
@click.option(
    "-t",
    "--type",
    metavar="TYPE",
    default="",
    help="Only symbols of this type: function, macro, variable, class or generic-function.",
)
@click.option("-p", "--package", default="", help="Only symbols whose home is this package.")
@click.option("--system", default="", help="Only symbols of the packages of this system.")
@click.option("--exported", is_flag=True, help="Only symbols that a package exports.")
@click.option("--own", is_flag=True, help="Only symbols of the project, and of systems that were asked for.")
@offset_option
@seen_from_option
@several_options
def search(
    words: tuple[str, ...], limit: int, offset: int, paths: tuple[str, ...], as_json: bool, **choice: Any
) -> None:
    """Find symbols by WORDS in their names, then in arglists and documentation, or functions by signature.

    The words may come in any order and with any ending: `hash keys` finds hash-table-keys. A signature
    comes after two colons: `oblist search ':: string -> pathname'`, `oblist search 'sort :: (list, _)'`.
    Arguments may be in any order and fewer than a function has; _ is any type, and 3 stands for any three
    arguments.
    """
    with opened_all(paths) as index:
        answer = index.search(" ".join(words), limit=limit, offset=offset, **choice)
        upcase = index.upcase if isinstance(index, Reading) else str.upper
    finish(answer, as_json, lambda: _text(answer), lambda view: _people(answer, view), upcase=upcase)
    if isinstance(answer, NotFound):
        return
    if not isinstance(answer, SearchAnswer) and answer.note:
        say_note(answer.note)
    if not answer.total:
        sys.exit(EXIT_NOT_FOUND)


def _people(answer: SearchAnswer | SeveralSearchAnswer | NotFound, view: View) -> list[Line]:
    assert not isinstance(answer, NotFound)
    if isinstance(answer, SearchAnswer):
        from .people import search_people

        return [*search_people(answer, view)]
    from ...several.search.people import several_search_people

    return [*several_search_people(answer, view)]


def _text(answer: SearchAnswer | SeveralSearchAnswer | NotFound) -> str:
    assert not isinstance(answer, NotFound)
    if isinstance(answer, SearchAnswer):
        return search_text(answer)
    from ...several.search.text import several_search_text

    return several_search_text(answer)
