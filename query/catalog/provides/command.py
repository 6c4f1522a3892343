"""The command ``provides``."""

from __future__ import annotations

import click

from ...terminal.catalogs import catalog_options, opened_catalog
from ...terminal.options import offset_option, terminal_limit_option
from ...terminal.printing import finish
from .text import provides_text


@click.command()
@click.argument("name")
@terminal_limit_option
@offset_option
@catalog_options
def provides(name: str, limit: int, offset: int, path: str | None, as_json: bool) -> None:
    """Say which releases in the catalog export or define NAME: a symbol, a package or a system.

    NAME is typed as in Lisp: flatten, alexandria:flatten. Exported symbols come first, internal ones last.
    """
    with opened_catalog(path) as catalog:
        answer = catalog.provides(name, limit=limit, offset=offset)
    finish(answer, as_json, lambda: provides_text(answer))  # type: ignore[arg-type]
