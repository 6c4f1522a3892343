"""The answer of provides as text; pure."""

from __future__ import annotations

from ...questions.paging import rest_line
from .answer import Provider, ProvidesAnswer


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
