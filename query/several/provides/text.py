"""The answer of provides from several indexes as text; pure."""

from __future__ import annotations

from ...catalog.provides.answer import Provider, ProvidesAnswer
from ...catalog.provides.text import provides_text
from ...index.shown import shown_name
from ..from_line import from_line
from .answer import SeveralProvider, SeveralProvidesAnswer


def several_provides_text(answer: SeveralProvidesAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of provides, with a path where an index has something, and the counts by index."""
    return f"{provides_text(as_one(answer), more)}\n{from_line(answer.indexes, answer.catalog)}"


def as_one(answer: SeveralProvidesAnswer) -> ProvidesAnswer:
    """Return the answer as one of the catalog, with the paths of indexes among the releases."""
    return ProvidesAnswer(
        answer.name, answer.total, answer.offset, [_provider(one) for one in answer.providers]
    )


def _provider(one: SeveralProvider) -> Provider:
    return Provider(
        what=one.what,
        release=one.release or shown_name(one.index),
        newest=bool(one.newest),
        name=one.name,
        package=one.package,
        written=one.written,
        type=one.type,
        status=one.status,
    )
