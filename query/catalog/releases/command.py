"""The command ``catalog releases``."""

from __future__ import annotations

import sys

from ...terminal.catalogs import catalog_options, opened_catalog
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.printing import finish
from ...terminal.question_command import asks
from .parameters import ReleasesParameters
from .text import releases_text


@asks(ReleasesParameters, options=catalog_options, seen_from=False)
def releases(asked: ReleasesParameters, path: str | None, as_json: bool) -> None:
    """List the releases in the catalog whose names contain NAME, or all of them."""
    with opened_catalog(path) as catalog:
        answer = catalog.ask(asked)
    finish(answer, as_json, releases_text)
    if not answer.total:
        sys.exit(EXIT_NOT_FOUND)
