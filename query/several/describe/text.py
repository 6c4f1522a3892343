"""The answer of describe from several indexes as text, by the text contract; pure."""

from __future__ import annotations

from ...index.shown import shown_name
from ...questions.describe.text import describe_text
from .answer import AlsoIn, SeveralDescribeAnswer


def several_describe_text(answer: SeveralDescribeAnswer) -> str:
    """Return the text of describe, and a last line with the index that it is from and the others."""
    return f"{describe_text(answer)}\n{from_and_also(answer)}"


def from_and_also(answer: SeveralDescribeAnswer) -> str:
    """Return the line that says which index the description is from, and which others have the name."""
    last = f"From: {shown_name(answer.index)}"
    if answer.also_in:
        last += f"; also in: {', '.join(_named(one, answer.written) for one in answer.also_in)}"
    return last


def _named(one: AlsoIn, written: str) -> str:
    where = shown_name(one.index) if one.release is None else f"{shown_name(one.release)} in the catalog"
    return where if one.written == written else f"{where} ({shown_name(one.written)})"
