"""A name as one types it."""

from __future__ import annotations

from oblist.indexer.names import written_name

from .reading import Reading


def written(index: Reading, name: str, package: str, status: str) -> str:
    """The form to type back: ``alexandria:flatten``, ``foo::|odd Name|``, ``:test``."""
    upcase = index.upcase
    symbol = written_name(name, upcase)
    if package == "KEYWORD":
        return f":{symbol}"
    colons = ":" if status == "external" else "::"
    return f"{written_name(package, upcase)}{colons}{symbol}"
