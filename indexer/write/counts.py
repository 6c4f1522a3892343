"""Count what an index has, for those who built it."""

from __future__ import annotations

import sqlite3

from ..format import names_sbcl

_PROBLEMS = "SELECT stage, path, subject, message FROM problems"
_COUNTED_TABLES = {
    "symbols": "symbols",
    "definitions": "definitions",
    "references": "symbol_references",
}


def problems_of_sbcl(connection: sqlite3.Connection) -> list[bool]:
    """For each problem of an index, whether it is about SBCL's own sources."""
    return [names_sbcl(*row) for row in connection.execute(_PROBLEMS)]


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """The numbers of symbols, definitions, references, problems, and problems of SBCL's own sources."""
    found = {
        name: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for name, table in _COUNTED_TABLES.items()
    }
    problems = problems_of_sbcl(connection)
    return {**found, "problems": len(problems) - sum(problems), "sbcl_problems": sum(problems)}
