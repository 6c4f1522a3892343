"""Questions that the tests of definition ask."""

from __future__ import annotations

from collections.abc import Iterator

from oblist.query import Index
from oblist.query.answers import DefinitionTextAnswer
from oblist.query.questions.definition.sql import DEFINITION_PLACES, DefinitionPlaceRow
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


def places(index: Index, step: int = 1, *, exact: bool = True) -> Iterator[tuple[str, DefinitionPlaceRow]]:
    """The definitions of every ``step``-th symbol, with its name; ``exact``: with an exact place only."""
    symbols = index.rows(
        "SELECT DISTINCT symbols.id, symbols.name FROM definitions "
        "JOIN symbols ON symbols.id = definitions.symbol_id ORDER BY symbols.id"
    )
    for symbol, name in symbols[::step]:
        for row in map(DefinitionPlaceRow.of, index.rows(DEFINITION_PLACES, symbol=symbol)):
            if row.place.recorded is not None and (row.place.column is not None or not exact):
                yield name, row
