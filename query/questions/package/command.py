"""The command ``package``."""

from __future__ import annotations

import click

from ...terminal.opening import opened
from ...terminal.options import answer_options, offset_option, terminal_limit_option
from ...terminal.printing import finish
from .text import package_text


@click.command()
@click.argument("name")
@terminal_limit_option
@offset_option
@answer_options
def package(name: str, limit: int, offset: int, path: str | None, as_json: bool) -> None:
    """List the exports of the package NAME, with a line of documentation each, and the packages it uses."""
    with opened(path) as index:
        answer = index.package(name, limit=limit, offset=offset)
    finish(answer, as_json, lambda: package_text(answer), asked=name)  # type: ignore[arg-type]
