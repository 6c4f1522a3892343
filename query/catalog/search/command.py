"""The command ``catalog search``."""

from __future__ import annotations

import sys

from ...index.not_found import NotFound
from ...terminal.catalogs import catalog_options, opened_catalog
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.printing import finish
from ...terminal.question_command import asks
from .parameters import CatalogSearchParameters
from .text import search_text


@asks(CatalogSearchParameters, name="search", options=catalog_options, seen_from=False)
def search(asked: CatalogSearchParameters, path: str | None, as_json: bool) -> None:
    """Find exported symbols of all releases by WORDS, or functions by signature.

    WORDS are as for `oblist search`; what releases and packages are called and are for counts, too. Each
    match says which release exports it.
    """
    with opened_catalog(path) as catalog:
        answer = catalog.ask(asked)
    finish(answer, as_json, search_text)
    if not isinstance(answer, NotFound) and not answer.total:
        sys.exit(EXIT_NOT_FOUND)
