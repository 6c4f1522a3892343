"""The commands that look around in an index: search, package."""

from __future__ import annotations

import sys

import click

from .base_answers import NotFound
from .cli import EXIT_NOT_FOUND
from .packages import package_text
from .search import search_text
from .surface import answer_options, finish, offset_option, opened, terminal_limit_option

_DEFAULT_LIMIT = 20


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=_DEFAULT_LIMIT,
    show_default=True,
    help="At most so many; 0 for all.",
)
@offset_option
@answer_options
def search(words: tuple[str, ...], limit: int, offset: int, path: str | None, as_json: bool) -> None:
    """Find symbols by WORDS: in their names first, then in arglists and documentation.

    The words may come in any order and with any ending: `hash keys` finds hash-table-keys.
    """
    with opened(path) as index:
        answer = index.search(" ".join(words), limit=limit, offset=offset)
    finish(answer, as_json, lambda: search_text(answer))  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)


@click.command()
@click.argument("name")
@terminal_limit_option
@offset_option
@answer_options
def package(name: str, limit: int, offset: int, path: str | None, as_json: bool) -> None:
    """Say what the package NAME exports, with a line of documentation each, and whom it uses."""
    with opened(path) as index:
        answer = index.package(name, limit=limit, offset=offset)
    finish(answer, as_json, lambda: package_text(answer))  # type: ignore[arg-type]
