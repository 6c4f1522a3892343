"""Every SELECT of info, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

COUNTS = """
SELECT (SELECT count(*) FROM packages) AS packages, (SELECT count(*) FROM symbols) AS symbols,
       (SELECT count(*) FROM definitions) AS definitions,
       (SELECT count(*) FROM symbol_references) AS symbol_references,
       (SELECT count(*) FROM problems) AS problems
"""


class CountsRow(NamedTuple):
    """One row of COUNTS."""

    packages: int
    symbols: int
    definitions: int
    references: int
    problems: int


SYSTEMS = "SELECT name, asked FROM systems ORDER BY name"
