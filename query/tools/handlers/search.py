"""The handler of search_documentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...index.not_found import NotFound
from ...questions.search.answer import SearchAnswer
from ...questions.search.parameters import SearchParameters
from ...questions.search.text import search_text
from ..answer import CountsAnswer
from ..budget import shortened
from ..listing import MORE, Listing
from ..vocabulary import Reply

ANSWERS = (SearchAnswer, CountsAnswer, NotFound)


class _Search(Listing[SearchAnswer]):
    question = SearchParameters
    noun = "matches"
    hint = "use more words, take a lower limit, or a higher max_chars"

    def text(self, answer: SearchAnswer) -> str:
        return search_text(answer, MORE)

    def subject(self, answer: SearchAnswer) -> str:
        return answer.query

    def names(self, answer: SearchAnswer) -> list[str]:
        return [match.package for match in answer.matches]

    def shorter(self, answer: SearchAnswer, most: int) -> SearchAnswer:
        return replace(
            answer,
            query=shortened(answer.query),
            understood=shortened(answer.understood),
            matches=[replace(match, summary=None, why=None) for match in answer.matches[:most]],
        )

    def lacking(self, answer: SearchAnswer) -> str:
        return super().lacking(answer) if answer.matches else ""


def search_documentation(arguments: Mapping[str, Any]) -> Reply:
    """Answer search_documentation."""
    return _Search(arguments).reply()
