"""The command ``package``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal.opening import opened
from ...terminal.options import answer_options, offset_option, seen_from_option, terminal_limit_option
from ...terminal.printing import finish
from ..apropos.choices import TYPES
from .answer import PackageAnswer
from .text import package_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View


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
        upcase = index.upcase

    def people(view: View) -> list[Line]:
        from .people import package_people

        assert isinstance(answer, PackageAnswer)
        return [*package_people(answer, match, view)]

    finish(answer, as_json, lambda: package_text(answer), people, asked=name, upcase=upcase)  # type: ignore[arg-type]
