"""Workspace symbols: what search finds, in its order."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import Location, LocationUriOnly, WorkspaceSymbol

from ...index.not_found import NotFound
from ...questions.describe.ask import find
from .asked import Asked
from .symbol_kinds import of_kind

MOST_SYMBOLS = 100


def workspace_symbols(asked: Asked, query: str, *, resolves: bool = False) -> Iterator[WorkspaceSymbol]:
    """Yield the symbols that match a query, best first, each at its first definition that has a place now.

    A client that resolves a symbol when it is chosen gets only the file.
    """
    answer = asked.project.index.search(query, limit=MOST_SYMBOLS) if query.strip() else None
    if answer is None or isinstance(answer, NotFound):
        return
    for match in answer.matches:
        symbol = _symbol(asked, match.written)
        if symbol is not None and resolves:
            symbol.data = {"written": match.written}
            symbol.location = LocationUriOnly(symbol.location.uri)
        if symbol is not None:
            yield symbol


def resolved_symbol(asked: Asked, symbol: WorkspaceSymbol) -> WorkspaceSymbol | None:
    """The symbol with its place; None if the index does not have it."""
    written = symbol.data.get("written") if isinstance(symbol.data, dict) else None
    found = _symbol(asked, written) if isinstance(written, str) else None
    return found if found is not None and found.location.uri == symbol.location.uri else None


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
