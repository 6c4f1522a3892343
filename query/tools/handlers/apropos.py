"""The handler of apropos_search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...index.not_found import NotFound
from ...questions.apropos.answer import AproposAnswer
from ...questions.apropos.parameters import AproposParameters
from ...questions.apropos.text import apropos_text
from ..answer import CountsAnswer
from ..budget import shortened
from ..listing import MORE, Listing
from ..vocabulary import Reply

ANSWERS = (AproposAnswer, CountsAnswer, NotFound)


class _Apropos(Listing[AproposAnswer]):
    question = AproposParameters
    noun = "matches"
    hint = "name a package, a type or a longer pattern, take a lower limit, or a higher max_chars"

    def text(self, answer: AproposAnswer) -> str:
        return apropos_text(answer, MORE)

    def notes(self, _: AproposAnswer, shown: AproposAnswer) -> list[str]:
        return [f"{shortened(shown.note)}."] if shown.note else []

    def subject(self, answer: AproposAnswer) -> str:
        return answer.pattern

    def names(self, answer: AproposAnswer) -> list[str]:
        return [match.package for match in answer.matches]

    def shorter(self, answer: AproposAnswer, most: int) -> AproposAnswer:
        return replace(answer, pattern=shortened(answer.pattern), matches=answer.matches[:most])

    def lacking(self, _: AproposAnswer) -> str:
        return ""


def apropos_search(arguments: Mapping[str, Any]) -> Reply:
    """Answer apropos_search."""
    return _Apropos(arguments).reply()
