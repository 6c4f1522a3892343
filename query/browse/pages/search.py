"""The search page: results are ranked, and filtered by type, package, system and export; each has a URL."""

from __future__ import annotations

from ...index.not_found import NotFound
from ...index.written import written
from ...questions.apropos.answer import AproposMatch
from ...questions.apropos.ask import apropos
from ...questions.apropos.parameters import AproposParameters
from ...questions.search.answer import SearchAnswer, SearchMatch
from ...questions.search.ask import search
from ...questions.search.choice import Keep, keeping
from ...questions.search.parameters import SearchParameters
from ...syntax.signature import split_query
from ..forms import asked_by, form_of
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
    systems = sorted(
        set(index.package_systems.values()), key=lambda name: (standing_of_system(index, name), name)
    )
    limit = _CHOICES if part == "choices" else _PAGE
    asked = asked_by(request, SearchParameters, query=query, limit=limit)
    form = form_of(request, SearchParameters, {"system": systems})
    context = {
        "title": f"{query} - search" if query else "Search",
        "query": query,
        "form": form,
        "offset": asked.offset,
        "answer": None,
    }
    if query:
        answer = _found(request, asked)
        context["answer"] = answer
        if isinstance(answer, SearchAnswer):
            rest = asked.offset + len(answer.matches)
            given = {"q": query, **{field.name: field.value for field in form}}
            context["next"] = request.links.search(**given, offset=str(rest)) if rest < answer.total else None
            context["matches"] = [
                (match, request.links.symbol(match.package, match.name)) for match in answer.matches
            ]
    return Page("search", context, answer=context["answer"], part=part)


def _found(request: PageRequest, asked: SearchParameters) -> SearchAnswer | NotFound:
    """The results for the words of a query; if there are none, as for ``1+``, the names that contain it."""
    index = request.index
    answer = search(index, asked)
    if split_query(asked.words) is not None or (isinstance(answer, SearchAnswer) and answer.total):
        return answer
    keep = keeping(index, asked)
    return keep if isinstance(keep, NotFound) else _containing(request, asked, keep)


def _containing(request: PageRequest, asked: SearchParameters, keep: Keep | None) -> SearchAnswer:
    """The exported symbols whose names contain the query, the shortest first."""
    query, offset = asked.query, asked.offset
    found = apropos(request.index, AproposParameters(query))
    assert not isinstance(found, NotFound)
    kept = [match for match in found.matches if keep is None or keep(match.package, match.type, True)]
    kept.sort(key=lambda match: (len(match.name), match.name, match.package))
    shown = [_match(request, match) for match in kept[offset : offset + asked.limit]]
    understood = "exported symbols whose names contain that text"
    return SearchAnswer(query, understood, len(kept), offset, shown)


def _match(request: PageRequest, match: AproposMatch) -> SearchMatch:
    form = written(request.index, match.name, match.package, match.status)
    return SearchMatch(match.name, match.package, form, match.type, match.status, "infix", 0, None)
