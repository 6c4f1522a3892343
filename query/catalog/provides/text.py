"""The answer of provides as text; pure."""

from __future__ import annotations

from ...index.shown import shown_name
from ...questions.from_line import from_line
from ...questions.paging import rest_line
from .answer import Provider, ProvidesAnswer, SeveralProvider, SeveralProvidesAnswer


def provides_text(answer: ProvidesAnswer, more: str = "--offset {offset}") -> str:
    """Return the text: a line for each thing of that name, with its release."""
    things = "thing is" if answer.total == 1 else "things are"
    lines = [f"{answer.total} {things} called {answer.name}:", ""]
    lines += [f"  {_line(one)}" for one in answer.providers]
    lines += rest_line(answer.providers, answer.total, answer.offset, more)
    return "\n".join(lines)


def _line(one: Provider) -> str:
    if one.what == "symbol":
        internal = "" if one.status == "external" else ", internal"
        return f"{one.written} [{(one.type or '').upper()}{internal}]  {one.release}"
    state = f", {one.status}" if one.status and one.status != "loaded" else ""
    return f"{one.what} {one.written}{state}  {one.release}"


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
