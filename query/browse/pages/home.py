"""The first page: a search box, the indexed systems, undocumented exports and problems."""

from __future__ import annotations

from ...questions.info.ask import information
from ...questions.problems.ask import problems
from .. import sql
from ..page_request import Page, PageRequest

_MOST = 12
_MOST_PROBLEMS = 8
_MOST_SYSTEMS = 30


def home(request: PageRequest) -> Page:
    """The first page of an index."""
    index = request.index
    answer = information(index)
    counted = index.once("undocumented exports", lambda: index.rows(sql.UNDOCUMENTED))
    undocumented = sorted(counted, key=lambda counts: (_own(request, counts[0]), -counts[1], counts[0]))
    asked = [row for row in map(sql.SystemRow._make, index.rows(sql.SYSTEMS)) if row.asked]
    return Page(
        "home",
        {
            "title": "oblist",
            "answer": answer,
            "systems": asked[:_MOST_SYSTEMS],
            "systems_total": len(asked),
            "undocumented": undocumented[:_MOST],
            "problems": problems(index, everything=False, limit=_MOST_PROBLEMS),
        },
        answer=answer,
    )


def _own(request: PageRequest, package: str) -> bool:
    """Whether a package belongs to no system; sorts the user's own packages before SBCL's."""
    return package not in request.index.package_systems
