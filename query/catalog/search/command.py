"""The command ``catalog search``."""

from __future__ import annotations

import sys

import click

from ...index.not_found import NotFound
from ...terminal.catalogs import catalog_options, opened_catalog
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.options import offset_option
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
@catalog_options
def search(words: tuple[str, ...], limit: int, offset: int, path: str | None, as_json: bool) -> None:
    """Find exported symbols of all releases by WORDS, or functions by signature.

    WORDS are as for `oblist search`; what releases and packages are called and are for counts, too. Each
    match says which release exports it.
    """
    with opened_catalog(path) as catalog:
        answer = catalog.search(" ".join(words), limit=limit, offset=offset)
    finish(answer, as_json, lambda: search_text(answer))  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)
