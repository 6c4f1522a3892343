"""The answer of complete as text; pure."""

from __future__ import annotations

from ...index.shown import shown_name
from ..paging import rest_line
from .answer import CompleteAnswer, Completion


def complete_text(answer: CompleteAnswer, more: str = "--limit 0") -> str:
    """Return a line for each name: what to type, and its arguments."""
    lines = [_line(one) for one in answer.completions]
    lines += rest_line(answer.completions, answer.total, 0, more)
    return "\n".join(lines) or f"No name in {answer.package} begins with {shown_name(answer.text)}."


def _line(one: Completion) -> str:
    arglist = " ".join(one.arglist.split()) if one.arglist is not None else None
    return shown_name("  ".join(part for part in (one.written, arglist, f"[{one.type}]") if part))
