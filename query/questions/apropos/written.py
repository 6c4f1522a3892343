"""The names of apropos as one writes them: matches lack only the status in the home package."""

from __future__ import annotations

from collections.abc import Sequence

from ...index.finding.resolve import find_symbol
from ...index.reading import Reading
from ...index.written import typed_name
from .answer import AproposMatch, SeenMatch


def written_names(matches: Sequence[AproposMatch], readings: Sequence[Reading]) -> list[str]:
    """Return the names of ``matches``, each as the first index that has it writes it."""
    by_path = {str(one.path): one for one in readings}
    return [_written(match, by_path, readings[0]) for match in matches]


def _written(match: AproposMatch, by_path: dict[str, Reading], first: Reading) -> str:
    if isinstance(match, SeenMatch):
        return match.written
    index = by_path[getattr(match, "indexes", [str(first.path)])[0]]
    home = index.package_numbers.get(match.package)
    # A catalog has exported symbols only, and packages of the same name in many releases.
    external = index.is_catalog
    if home is not None and not external:
        found = find_symbol(index, home, match.name)
        external = found is not None and found.status == "external"
    return typed_name(match.name, match.package, index.upcase, external=external)
