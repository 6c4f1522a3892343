"""The command ``search``."""

from __future__ import annotations

import sys

import click

from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened
from ...terminal.options import answer_options, offset_option
from ...terminal.printing import finish
from .text import search_text

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
@offset_option
@answer_options
def search(words: tuple[str, ...], limit: int, offset: int, path: str | None, as_json: bool) -> None:
    """Find symbols by WORDS in their names, then in arglists and documentation, or functions by signature.

    The words may come in any order and with any ending: `hash keys` finds hash-table-keys. A signature
    comes after two colons: `oblist search ':: string -> pathname'`, `oblist search 'sort :: (list, _)'`.
    Arguments may be in any order and fewer than a function has; _ is any type, a number stands for as many
    arguments.
    """
    with opened(path) as index:
        answer = index.search(" ".join(words), limit=limit, offset=offset)
    finish(answer, as_json, lambda: search_text(answer))  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)
