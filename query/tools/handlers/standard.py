"""The handler of clhs, which needs no index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...index.not_found import NotFound, not_found_text
from ...standard.answer import StandardAnswer
from ...standard.find import find_term
from ...standard.text import standard_text
from ..vocabulary import Reply

ANSWERS = (StandardAnswer, NotFound)


def clhs(arguments: Mapping[str, Any]) -> Reply:
    """Answer clhs."""
    answer = find_term(arguments["term"])
    if isinstance(answer, NotFound):
        return Reply(not_found_text(answer), answer)
    return Reply(standard_text(answer), answer)
