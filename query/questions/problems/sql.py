"""Every SELECT of problems, each with the row that it fills."""

from __future__ import annotations

from typing import NamedTuple

PROBLEMS = "SELECT stage, subject, part, condition, message, path, line FROM problems ORDER BY id"


class ProblemRow(NamedTuple):
    """One row of PROBLEMS."""

    stage: str
    subject: str
    part: str
    condition: str
    message: str
    path: str | None
    line: int | None


ROOTS = """
SELECT roots.name, roots.path, coalesce(systems.asked, 0) FROM roots
LEFT JOIN systems ON systems.id = roots.system_id
"""


class RootRow(NamedTuple):
    """One row of ROOTS: a folder, and whether its system was indexed by name."""

    name: str
    path: str
    asked: int
