"""The pages that list everything: packages, as a list and as a picture, systems, problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from ...questions.problems.answer import ProblemsAnswer
from ...questions.problems.ask import problems as ask_problems
from ...questions.problems.parameters import ProblemsParameters
from .. import sql
from ..forms import asked_by
from ..page_request import Page, PageRequest
from ..pictures.graphs import all_packages_picture
from ..project import NEEDED, OF_SBCL, OWN, standing_of_package, standing_of_system
from ..project import systems as all_systems

_Row = TypeVar("_Row")
_MOST_PROBLEMS = 200
_STANDINGS = {OWN: "The project", NEEDED: "Dependencies", OF_SBCL: "SBCL"}


def packages(request: PageRequest) -> Page:
    """The list of all packages, with their systems and the number of symbols they export."""
    rows = [sql.ListedPackageRow(*row) for row in request.index.rows(sql.PACKAGES)]
    groups = _grouped(rows, lambda row: standing_of_package(request.index, row.name))
    rows = [row for _, group in groups for row in group]
    answer = {"packages": [{"name": row.name, "system": row.system, "exports": row.exports} for row in rows]}
    context = {"title": "Packages", "total": len(rows), "groups": groups}
    return Page("packages", context, answer=answer)


def _grouped(rows: Iterable[_Row], standing: Callable[[_Row], int]) -> list[tuple[str, list[_Row]]]:
    """The rows by what they are to the project, each group in their order under a title; none is empty."""
    groups: dict[int, list[_Row]] = {one: [] for one in _STANDINGS}
    for row in rows:
        groups[standing(row)].append(row)
    return [(_STANDINGS[one], group) for one, group in groups.items() if group]


def graph(request: PageRequest) -> Page:
    """The picture of how all packages use each other."""
    picture = all_packages_picture(request)
    rows = request.index.rows(sql.NAMED_PACKAGE_USES)
    answer = {"uses": [{"package": package, "used": used} for package, used in rows]}
    return Page("graph", {"title": "Package graph", "picture": picture}, answer=answer)


def systems(request: PageRequest) -> Page:
    """The list of all systems, the requested ones first and SBCL's last."""
    every = all_systems(request.index).values()
    groups = _grouped(every, lambda row: standing_of_system(request.index, row.name))
    rows = [row for _, group in groups for row in group]
    answer = {
        "systems": [{"name": row.name, "version": row.version, "asked": bool(row.asked)} for row in rows]
    }
    context = {"title": "Systems", "total": len(rows), "groups": groups}
    return Page("systems", context, answer=answer)


def problems(request: PageRequest) -> Page:
    """What could not be indexed in the project and its dependencies, with the reasons."""
    asked = asked_by(request, ProblemsParameters, everything=False, limit=_MOST_PROBLEMS)
    answer = ask_problems(request.index, asked)
    context = {
        "title": "Problems",
        "intro": "These things could not be indexed, or were indexed only in part.",
        "sbcl": answer.sbcl,
        "own": answer.project + answer.dependencies,
    }
    return _problems(request, "problems", answer, context, answer.project + answer.dependencies)


def sbcl_problems(request: PageRequest) -> Page:
    """What could not be read or located in SBCL's own sources; every index of that SBCL has these."""
    answer = ask_problems(request.index, ProblemsParameters())
    first = answer.total - answer.sbcl + request.number("offset")  # SBCL's own come last
    answer = replace(answer, offset=first, problems=answer.problems[first : first + _MOST_PROBLEMS])
    context = {
        "title": "Problems in SBCL's own sources",
        "intro": "These parts of SBCL's own sources could not be read, or their locations are not "
        "known. Every index has them.",
        "sbcl": 0,
        "own": answer.project + answer.dependencies,
    }
    return _problems(request, "sbcl-problems", answer, context, answer.sbcl)


def _problems(
    request: PageRequest, page: str, answer: ProblemsAnswer, context: dict[str, object], total: int
) -> Page:
    rest = request.number("offset") + len(answer.problems)
    following = request.links.listing(page, offset=str(rest)) if rest < total else None
    return Page("problems", {**context, "answer": answer, "total": total, "next": following}, answer=answer)
