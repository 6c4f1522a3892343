"""The command ``package``."""

from __future__ import annotations

import click

from ...terminal.opening import opened
from ...terminal.options import answer_options, offset_option, seen_from_option, terminal_limit_option
from ...terminal.printing import finish
from ..apropos.choices import TYPES
from .text import package_text


@click.command()
@click.argument("name")
@terminal_limit_option
@offset_option
@click.option("--match", default="", metavar="TEXT", help="Only exports with TEXT in their names.")
@click.option("-t", "--type", "kind", type=click.Choice(TYPES), help="Only exports of this type.")
@seen_from_option
@answer_options
def package(
    name: str, limit: int, offset: int, match: str, kind: str | None, path: str | None, as_json: bool
) -> None:
    """List the exports of the package NAME, with their lambda lists and a line of documentation each."""
    with opened(path) as index:
        answer = index.package(name, limit=limit, offset=offset, match=match, kind=kind)
    finish(answer, as_json, lambda: package_text(answer), asked=name)  # type: ignore[arg-type]
