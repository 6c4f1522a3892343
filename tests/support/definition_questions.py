"""Questions that the tests of definition ask."""

from __future__ import annotations

from oblist.query import Index
from oblist.query.answers import DefinitionTextAnswer
from support.shelf import SHELF, SOURCE


def asked(index: Index, name: str, package: str = SHELF, **options: object) -> DefinitionTextAnswer:
    answer = index.definition(name, package, **options)  # type: ignore[arg-type]
    assert isinstance(answer, DefinitionTextAnswer), answer
    return answer


def form(begin: str, end: str) -> str:
    """The stretch of the sample from the text ``begin`` to ``end``."""
    start = SOURCE.index(begin)
    return SOURCE[start : SOURCE.index(end, start) + len(end)]


def texts(answer: DefinitionTextAnswer) -> list[str]:
    """The text of each definition, by its place in the whole."""
    return [
        answer.text[place.text_offset : place.text_offset + place.text_length] for place in answer.definitions
    ]
