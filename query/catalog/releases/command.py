"""The command ``catalog releases``."""

from __future__ import annotations

import sys

import click

from ...terminal.catalogs import catalog_options, opened_catalog
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.options import offset_option, terminal_limit_option
from ...terminal.printing import finish
from .ask import STATES
from .text import releases_text


@click.command()
@click.argument("name", default="")
@click.option("--state", type=click.Choice(STATES), help="Only releases in this state.")
@terminal_limit_option
@offset_option
@catalog_options
def releases(name: str, state: str | None, limit: int, offset: int, path: str | None, as_json: bool) -> None:
    """List the releases in the catalog whose names contain NAME, or all of them."""
    with opened_catalog(path) as catalog:
        answer = catalog.releases(name, state=state, limit=limit, offset=offset)
    finish(answer, as_json, lambda: releases_text(answer))
    if not answer.total:
        sys.exit(EXIT_NOT_FOUND)
