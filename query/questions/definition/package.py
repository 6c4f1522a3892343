"""The definition of a package, for a name that no symbol has but a package."""

from __future__ import annotations

from oblist.indexer.names import InvalidNameError, split_name, split_package

from ...index.finding.resolve import find_package, standpoint
from ...index.reading import Reading
from ...index.shown import shown_name
from ...index.written import own_name, printed_name
from . import sql
from .answer import DefinitionTextAnswer
from .passages import Passage, place_in, source_texts, whole_text
from .sql import DefinitionPlaceRow


def package_definition(
    index: Reading, name: str, within: str, max_length: int, offset: int
) -> DefinitionTextAnswer | None:
    """The text of the definition of the package called ``name``, or None if there is none with source text.

    Local nicknames are those of ``within``, then those of the package that names are written for.
    """
    try:
        typed = split_name(name, index.upcase)
    except InvalidNameError:
        return None
    if typed.package is not None or typed.operator is not None:
        return None
    asked = find_package(index, split_package(within, index.upcase))
    found = find_package(index, typed.symbol, asked.id if asked else None, standpoint(index))
    if found is None:
        return None
    rows = [DefinitionPlaceRow.of(row) for row in index.rows(sql.PACKAGE_PLACES, package=found.id)]
    passages = [
        Passage(text, True, [row])
        for row, text in zip(rows, source_texts(index, rows), strict=True)
        if text is not None
    ][offset:]
    if not passages:
        return None
    text, offsets = whole_text(index, passages)
    shown = text[:max_length] if max_length else text
    nickname = found.name not in typed.symbol.spellings
    return DefinitionTextAnswer(
        name=found.name,
        package=found.name,
        written=own_name(found.name, index.upcase),
        heading=printed_name(found.name, index.upcase),
        total=len(passages) + offset,
        offset=offset,
        text=shown,
        characters=len(text),
        truncated=len(shown) < len(text),
        packages=None,
        note=f"this is a package, with the nickname {shown_name(typed.symbol.typed)}"
        if nickname
        else "this is a package",
        definitions=[
            place_in(index, passage.rows[0], passage, start)
            for passage, start in zip(passages, offsets, strict=True)
        ],
    )
