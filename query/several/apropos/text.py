"""The answer of apropos from several indexes as text, by the text contract; pure."""

from __future__ import annotations

from ...questions.apropos.answer import AproposAnswer, AproposMatch
from ...questions.apropos.text import apropos_text
from ..from_line import from_line
from .answer import SeveralAproposAnswer


def several_apropos_text(answer: SeveralAproposAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of apropos, and a last line with the number of matches in each index."""
    matches: list[AproposMatch] = [*answer.matches]
    as_one = AproposAnswer(answer.pattern, answer.package, answer.type, answer.total, answer.offset, matches)
    return f"{apropos_text(as_one, more)}\n{from_line(answer.indexes, answer.catalog)}"
