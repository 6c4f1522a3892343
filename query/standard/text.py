"""The links as text; pure."""

from __future__ import annotations

from ..index.shown import shown_name
from .answer import StandardAnswer


def standard_text(answer: StandardAnswer) -> str:
    """Return a line for each link."""
    lines = [f"{shown_name(one.name)} [{one.kind}]  {one.url}" for one in answer.links]
    return "\n".join([*lines, *([f"Note: {shown_name(answer.note)}."] if answer.note else [])])
