"""Systems of the project that depend on what the new version of the library does not have."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...index.named_texts import named_text
from ...index.present.lines import TextLines
from ...syntax.lexemes import lexemes
from .. import sql
from ..answer import BrokenLine
from ..context import ForecastContext
from ..own import OwnPlace
from ..sql import DependingRow

SORT = "system"


def systems_that_need_what_is_gone(context: ForecastContext) -> Iterator[BrokenLine]:
    """Where definitions of systems name one that is gone."""
    if not context.library.gone:
        return
    for row in map(
        DependingRow._make, context.old.rows(sql.DEPENDING, gone=json.dumps(context.library.gone))
    ):
        path = context.old.local_path(row.path) or row.path
        try:
            text = named_text(context.old, path)
        except OSError:
            continue
        lines = TextLines(text)
        for one in lexemes(text):
            if one.text.lower().lstrip("#:").strip('"') == row.on:
                line, column = lines.place(one.start)
                place = OwnPlace(path, line, column, "", row.system)
                yield place.broken(SORT, f"the library no longer has a system {row.on}", len(one.text))
