"""The search page: results are ranked, and filtered by type, package, system and export; each has a URL."""

from __future__ import annotations

from ...index.not_found import NotFound
from ...index.written import written
from ...questions.apropos.answer import AproposMatch
from ...questions.apropos.ask import apropos
from ...questions.apropos.choices import TYPES
from ...questions.apropos.parameters import AproposParameters
from ...questions.search.answer import SearchAnswer, SearchMatch
from ...questions.search.ask import search
from ...questions.search.choice import Keep, keeping
from ...questions.search.parameters import SearchParameters
from ...syntax.signature import split_query
from ..page_request import Page, PageRequest
from ..project import standing_of_system

_PAGE = 50
_LONGEST = 200
_CHOICES = 8
# The parts of the page, by the argument that asks for one of them.
_PARTS = {"1": "results", "choices": "choices"}


def search_page(request: PageRequest) -> Page:
    """The search page, with the results for ``q`` if that is given."""
    index, query = request.index, request.argument("q").strip()[:_LONGEST]
    part = _PARTS.get(request.argument("part"), "")
    chosen = {name: request.argument(name) for name in ("type", "package", "system", "exported", "own")}
    offset = request.number("offset")
    context = {
        "title": f"{query} - search" if query else "Search",
        "query": query,
        "types": TYPES,
        "chosen": chosen,
        "offset": offset,
        "answer": None,
        "systems": sorted(
            set(index.package_systems.values()), key=lambda name: (standing_of_system(index, name), name)
        ),
    }
    if query:
        answer = _found(request, query, chosen, offset, _CHOICES if part == "choices" else _PAGE)
        context["answer"] = answer
        if isinstance(answer, SearchAnswer):
            rest = offset + len(answer.matches)
            given = {"q": query, **chosen}
            context["next"] = request.links.search(**given, offset=str(rest)) if rest < answer.total else None
            context["matches"] = [
                (match, request.links.symbol(match.package, match.name)) for match in answer.matches
            ]
    return Page("search", context, answer=context["answer"], part=part)


def _found(
    request: PageRequest, query: str, chosen: dict[str, str], offset: int, limit: int
) -> SearchAnswer | NotFound:
    """The results for the words of a query; if there are none, as for ``1+``, the names that contain it."""
    index = request.index
    asked = SearchParameters(
        query,
        type=chosen["type"],
        package=chosen["package"],
        system=chosen["system"],
        exported=bool(chosen["exported"]),
        own=bool(chosen["own"]),
        limit=limit,
        offset=offset,
    )
    answer = search(index, asked)
    if split_query(query) is not None or (isinstance(answer, SearchAnswer) and answer.total):
        return answer
    keep = keeping(index, asked)
    return keep if isinstance(keep, NotFound) else _containing(request, query, keep, offset, limit)


def _containing(request: PageRequest, query: str, keep: Keep | None, offset: int, limit: int) -> SearchAnswer:
    """The exported symbols whose names contain ``query``, the shortest first."""
    found = apropos(request.index, AproposParameters(query))
    assert not isinstance(found, NotFound)
    kept = [match for match in found.matches if keep is None or keep(match.package, match.type, True)]
    kept.sort(key=lambda match: (len(match.name), match.name, match.package))
    shown = [_match(request, match) for match in kept[offset : offset + limit]]
    understood = "exported symbols whose names contain that text"
    return SearchAnswer(query, understood, len(kept), offset, shown)


def _match(request: PageRequest, match: AproposMatch) -> SearchMatch:
    form = written(request.index, match.name, match.package, match.status)
    return SearchMatch(match.name, match.package, form, match.type, match.status, "infix", 0, None)
