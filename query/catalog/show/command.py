"""The command ``catalog show``."""

from __future__ import annotations

from ...terminal.catalogs import catalog_options, opened_catalog
from ...terminal.printing import finish
from ...terminal.question_command import asks
from .parameters import ShowParameters
from .text import release_text


@asks(ShowParameters, options=catalog_options, seen_from=False)
def show(asked: ShowParameters, path: str | None, as_json: bool) -> None:
    """Show RELEASE, such as alexandria or alexandria@1.0.1: what it is, needs, and is needed by."""
    with opened_catalog(path) as catalog:
        answer = catalog.ask(asked)
    finish(answer, as_json, release_text)
