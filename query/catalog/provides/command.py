"""The command ``provides``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from oblist.indexer.format import catalog_file

from ...index.not_found import NotFound
from ...terminal.catalogs import catalog_options, opened_catalog
from ...terminal.opening import opened_together
from ...terminal.options import offset_option, terminal_limit_option
from ...terminal.printing import finish
from .answer import ProvidesAnswer
from .text import provides_text

if TYPE_CHECKING:
    from ...questions.styled import Line
    from ...several.provides.answer import SeveralProvidesAnswer


@click.command()
@click.argument("name")
@terminal_limit_option
@offset_option
@click.option(
    "--index",
    "paths",
    multiple=True,
    metavar="FILE",
    help="Also ask this index; may be repeated.",
)
@catalog_options
def provides(
    name: str, limit: int, offset: int, paths: tuple[str, ...], path: str | None, as_json: bool
) -> None:
    """Say which releases in the catalog, and which indexes, export or define NAME.

    NAME is a symbol, a package or a system. It is typed as in Lisp: flatten, alexandria:flatten. Exported
    symbols come first, internal ones last.
    """
    answer: ProvidesAnswer | SeveralProvidesAnswer | NotFound
    if paths:
        there_is_one = path is not None or catalog_file(None).is_file()
        with opened_together(paths, (path or True) if there_is_one else None) as indexes:
            answer = indexes.provides(name, limit=limit, offset=offset)
    else:
        with opened_catalog(path) as catalog:
            answer = catalog.provides(name, limit=limit, offset=offset)
    finish(answer, as_json, lambda: _text(answer), lambda view: _people(answer))


def _people(answer: ProvidesAnswer | SeveralProvidesAnswer | NotFound) -> list[Line]:
    assert not isinstance(answer, NotFound)
    if isinstance(answer, ProvidesAnswer):
        from .people import provides_people

        return [*provides_people(answer)]
    from ...several.provides.people import several_provides_people

    return [*several_provides_people(answer)]


def _text(answer: ProvidesAnswer | SeveralProvidesAnswer | NotFound) -> str:
    assert not isinstance(answer, NotFound)
    if isinstance(answer, ProvidesAnswer):
        return provides_text(answer)
    from ...several.provides.text import several_provides_text

    return several_provides_text(answer)
