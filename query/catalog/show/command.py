"""The command ``catalog show``."""

from __future__ import annotations

import click

from ...terminal.catalogs import catalog_options, opened_catalog
from ...terminal.printing import finish
from .text import release_text


@click.command()
@click.argument("release")
@catalog_options
def show(release: str, path: str | None, as_json: bool) -> None:
    """Show RELEASE, such as alexandria or alexandria@1.0.1: what it is, needs, and is needed by."""
    with opened_catalog(path) as catalog:
        answer = catalog.show(release)
    finish(answer, as_json, lambda: release_text(answer))  # type: ignore[arg-type]
