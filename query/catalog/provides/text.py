"""The answer of provides as text; pure."""

from __future__ import annotations

from ...index.shown import counted, shown_name
from ...questions.from_line import from_line
from ...questions.paging import rest_line
from .answer import Provider, ProvidesAnswer, SeveralProvider


def provides_text(answer: ProvidesAnswer, more: str = "--offset {offset}") -> str:
    """Return the text: a line for each thing of that name, with its release or its index."""
    things = counted(answer.total, "thing is", "things are")
    lines = [f"{things} called {answer.name}:", ""]
    lines += [f"  {_line(one)}" for one in answer.providers]
    lines += rest_line(answer.providers, answer.total, answer.offset, more)
    return "\n".join([*lines, *from_line(answer)])


def _line(one: Provider) -> str:
    if one.what == "symbol":
        internal = "" if one.status == "external" else ", internal"
        return f"{one.written} [{(one.type or '').upper()}{internal}]  {place_of(one)}"
    state = f", {one.status}" if one.status and one.status != "loaded" else ""
    return f"{one.what} {one.written}{state}  {place_of(one)}"


def place_of(one: Provider) -> str:
    """Return the release that brings something, or the path of the index that has it."""
    if one.release is None and isinstance(one, SeveralProvider):
        return shown_name(one.index)
    return one.release or ""
