"""The pages that list everything: packages, as a list and as a picture, systems, problems."""

from __future__ import annotations

from ...questions.problems.ask import problems as ask_problems
from .. import sql
from ..page_request import Page, PageRequest
from ..pictures.graphs import all_packages_picture

_MOST_PROBLEMS = 200


def packages(request: PageRequest) -> Page:
    """The list of all packages, with their systems and the number of symbols they export."""
    rows = [sql.PackageRow(*row) for row in request.index.rows(sql.PACKAGES)]
    answer = {"packages": [{"name": row.name, "system": row.system, "exports": row.exports} for row in rows]}
    return Page("packages", {"title": "Packages", "packages": rows}, answer=answer)


def graph(request: PageRequest) -> Page:
    """The picture of how all packages use each other."""
    picture = request.index.once("package graph", lambda: all_packages_picture(request))
    rows = request.index.rows(sql.NAMED_PACKAGE_USES)
    answer = {"uses": [{"package": package, "used": used} for package, used in rows]}
    return Page("graph", {"title": "Package graph", "picture": picture}, answer=answer)


def systems(request: PageRequest) -> Page:
    """The list of all systems, the requested ones first."""
    rows = [sql.SystemRow(*row) for row in request.index.rows(sql.SYSTEMS)]
    answer = {
        "systems": [{"name": row.name, "version": row.version, "asked": bool(row.asked)} for row in rows]
    }
    asked = [row for row in rows if row.asked]
    needed = [row for row in rows if not row.asked]
    return Page("systems", {"title": "Systems", "asked": asked, "needed": needed}, answer=answer)


def problems(request: PageRequest) -> Page:
    """The list of things that could not be indexed, with the reasons."""
    offset = request.number("offset")
    answer = ask_problems(request.index, limit=_MOST_PROBLEMS, offset=offset)
    rest = offset + len(answer.problems)
    context = {"title": "Problems", "answer": answer, "next": rest if rest < answer.total else None}
    return Page("problems", context, answer=answer)
