"""Uses of what the text of the new version calls deprecated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...index.reading import Reading
from ...syntax.lexemes import lexemes
from .. import sql
from ..answer import BrokenLine
from ..context import ForecastContext
from ..own import NO_CODE

SORT = "deprecated"
_WORD = "deprecat"
_MOST_SHOWN = 120


def uses_of_what_is_called_deprecated(context: ForecastContext) -> Iterator[BrokenLine]:
    """The uses of names with a string in the new definition, not in the old, that calls something deprecated.

    Few libraries declare it to SBCL: they say it in the documentation, or warn when a function is called. As
    the string may be about one argument only, nothing is broken by it.
    """
    for symbol, uses in context.own.uses.items():
        now = context.successors.get(symbol)
        told = _told(context.new, now) if now is not None else None
        if told is None or _told(context.old, symbol) is not None:
            continue
        message = f"the new version of {context.written(symbol)} says that something is deprecated: {told}"
        for use in uses:
            if use.relation not in NO_CODE:
                yield replace(use.broken(SORT, message), breaking=False)


def _told(index: Reading, symbol: int) -> str | None:
    """The sentence of a string in a definition that calls something deprecated."""
    text = "\n".join(line for (line,) in index.rows(sql.TEXT_OF_DEFINITIONS, symbol=symbol))
    if _WORD not in text.lower():
        return None
    for one in lexemes(text):
        if one.kind == "string" and _WORD in one.text.lower():
            words = " ".join(one.text.strip('"').split())
            at = words.lower().index(_WORD)
            start = max(words.rfind(". ", 0, at) + 1, 0)
            sentence = words[start:].strip()
            return sentence if len(sentence) <= _MOST_SHOWN else f"{sentence[:_MOST_SHOWN]}..."
    return None
