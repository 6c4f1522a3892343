"""Who owns the problems: the project, a dependency, or SBCL."""

from __future__ import annotations

from oblist.indexer.format import names_sbcl

from ...index.reading import Reading
from . import sql
from .sql import ProblemRow, RootRow

PROJECT, DEPENDENCY, SBCL = "project", "dependency", "sbcl"
_PROJECT_ROOT = "project"


def owned_problems(index: Reading) -> list[tuple[str, ProblemRow]]:
    """Return the problems of an index, each after its owner."""
    roots = [RootRow(*row) for row in index.rows(sql.ROOTS)]
    roots.sort(key=lambda root: len(root.path), reverse=True)
    rows = (ProblemRow(*row) for row in index.rows(sql.PROBLEMS))
    return [(_owner(row, roots), row) for row in rows]


def problems_of_sbcl(index: Reading) -> int:
    """Return the number of problems that are SBCL's own."""
    return sum(owner == SBCL for owner, _ in owned_problems(index))


def _owner(row: ProblemRow, roots: list[RootRow]) -> str:
    """The owner of a problem, by the deepest folder of the index that its texts name."""
    if row.stage == "load":
        return DEPENDENCY if row.part == "dependency" else PROJECT
    text = " ".join(filter(None, (row.path, row.subject, row.message)))
    if names_sbcl(row.stage, text):
        return SBCL
    for root in roots:
        if root.path in text:
            if root.name == SBCL:
                return SBCL
            # The roots of further projects are called project-2 and so on.
            own = root.asked or root.name.partition("-")[0] == _PROJECT_ROOT
            return PROJECT if own else DEPENDENCY
    return PROJECT
