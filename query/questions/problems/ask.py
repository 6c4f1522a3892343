"""problems: what could not be loaded, read or located, the user's own before SBCL's."""

from __future__ import annotations

from collections import Counter

from ...index.reading import Reading
from .answer import ProblemAnswer, ProblemsAnswer
from .owners import DEPENDENCY, PROJECT, SBCL, owned_problems
from .parameters import ProblemsParameters

_OWNERS = (PROJECT, DEPENDENCY, SBCL)


def problems(index: Reading, asked: ProblemsParameters) -> ProblemsAnswer:
    """Answer problems from ``index``."""
    offset, limit = asked.offset, asked.limit
    found = [ProblemAnswer(owner, *row) for owner, row in owned_problems(index)]
    found.sort(key=lambda one: (_OWNERS.index(one.owner), one.stage != "load"))
    counts = Counter(one.owner for one in found)
    listed = found if asked.everything else [one for one in found if one.owner != SBCL]
    return ProblemsAnswer(
        total=len(found),
        project=counts[PROJECT],
        dependencies=counts[DEPENDENCY],
        sbcl=counts[SBCL],
        offset=offset,
        problems=listed[offset : offset + limit] if limit else listed[offset:],
    )
