"""The command ``provides``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from oblist.indexer.format import catalog_file

from ...terminal.catalogs import catalog_options, opened_catalog
from ...terminal.opening import opened_together
from ...terminal.printing import finish, lazily
from ...terminal.question_command import asks
from .parameters import ProvidesParameters
from .text import provides_text

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import ProvidesAnswer


@asks(ProvidesParameters, options=catalog_options)
@click.option(
    "--index",
    "paths",
    multiple=True,
    metavar="FILE",
    help="Also query this index; may be repeated.",
)
def provides(asked: ProvidesParameters, paths: tuple[str, ...], path: str | None, as_json: bool) -> None:
    """List the releases in the catalog, and the indexes, that export or define NAME.

    NAME is a symbol, a package or a system. It is typed as in Lisp: flatten, alexandria:flatten. Exported
    symbols come first, and internal symbols last.
    """
    answer: ProvidesAnswer | NotFound
    if paths:
        there_is_one = path is not None or catalog_file(None).is_file()
        with opened_together(paths, (path or True) if there_is_one else None) as indexes:
            answer = indexes.provides(asked.name, limit=asked.limit, offset=asked.offset)
    else:
        with opened_catalog(path) as catalog:
            answer = catalog.ask(asked)
    people = lazily(".catalog.provides.people:provides_people")
    finish(answer, as_json, provides_text, people)
