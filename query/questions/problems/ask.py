"""problems: what could not be loaded, read or placed, the user's own before SBCL's."""

from __future__ import annotations

from collections import Counter

from oblist.indexer.format import SBCL_SIGNS

from ...index.reading import Reading
from . import sql
from .answer import ProblemAnswer, ProblemsAnswer
from .sql import ProblemRow, RootRow

PROJECT, DEPENDENCY, SBCL = "project", "dependency", "sbcl"
_OWNERS = (PROJECT, DEPENDENCY, SBCL)
_PROJECT_ROOT = "project"


def problems(index: Reading, *, everything: bool = True, limit: int = 0, offset: int = 0) -> ProblemsAnswer:
    """Answer problems from ``index``; without ``everything``, SBCL's own are counted but not listed."""
    roots = [RootRow(*row) for row in index.rows(sql.ROOTS)]
    roots.sort(key=lambda root: len(root.path), reverse=True)
    found = [_problem(ProblemRow(*row), roots) for row in index.rows(sql.PROBLEMS)]
    found.sort(key=lambda one: (_OWNERS.index(one.owner), one.stage != "load"))
    counts = Counter(one.owner for one in found)
    listed = found if everything else [one for one in found if one.owner != SBCL]
    return ProblemsAnswer(
        total=len(found),
        project=counts[PROJECT],
        dependencies=counts[DEPENDENCY],
        sbcl=counts[SBCL],
        offset=offset,
        problems=listed[offset : offset + limit] if limit else listed[offset:],
    )


def _problem(row: ProblemRow, roots: list[RootRow]) -> ProblemAnswer:
    return ProblemAnswer(_owner(row, roots), *row)


def _owner(row: ProblemRow, roots: list[RootRow]) -> str:
    """The owner of a problem, by the deepest folder of the index that its texts name."""
    if row.stage == "load":
        return DEPENDENCY if row.part == "dependency" else PROJECT
    text = " ".join(filter(None, (row.path, row.subject, row.message)))
    if any(sign in text for sign in SBCL_SIGNS):
        return SBCL
    for root in roots:
        if root.path in text:
            if root.name == SBCL:
                return SBCL
            # The roots of further projects are called project-2 and so on.
            own = root.asked or root.name.partition("-")[0] == _PROJECT_ROOT
            return PROJECT if own else DEPENDENCY
    return PROJECT
