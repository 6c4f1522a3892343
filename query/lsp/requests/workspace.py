"""Workspace symbols: what search finds, in its order."""

from __future__ import annotations

from lsprotocol.types import Location, WorkspaceSymbol

from ...index.not_found import NotFound
from ...questions.describe.ask import find
from .asked import Asked
from .symbol_kinds import of_kind

MOST_SYMBOLS = 100


def workspace_symbols(asked: Asked, query: str) -> list[WorkspaceSymbol]:
    """The symbols that match a query, best first, each at its first definition that has a place now."""
    answer = asked.project.index.search(query, limit=MOST_SYMBOLS) if query.strip() else None
    if answer is None or isinstance(answer, NotFound):
        return []
    found = []
    for match in answer.matches:
        symbol = _symbol(asked, match.written)
        if symbol is not None:
            found.append(symbol)
    return found


def _symbol(asked: Asked, written: str) -> WorkspaceSymbol | None:
    defined = find(asked.project.index, written, "CL-USER")
    if isinstance(defined, NotFound):
        return None
    for row in defined.rows:
        spot = asked.places.definition(row.place, defined.found.name)
        if spot is not None:
            return WorkspaceSymbol(
                location=Location(spot.uri, spot.token),
                name=written,
                kind=of_kind(row.kind),
                container_name=defined.found.home,
            )
    return None
