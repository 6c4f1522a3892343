"""The pages of the catalog: a search of all releases, a page for each, and who depends on whom."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...catalog import sql as catalog_sql
from ...catalog.api import Catalog, open_catalog
from ...catalog.release_names import label, releases_called
from ...catalog.search.answer import CatalogMatch, CatalogSearchAnswer
from ...catalog.search.parameters import CatalogSearchParameters
from ...catalog.show.answer import ReleaseAnswer
from ...catalog.sql import LabelRow, ReleaseExportRow
from ...errors import IndexMissingError
from ...index.not_found import NotFound
from ...index.sentence import first_sentence
from ...questions.paging import page as page_of
from ..forms import asked_by
from ..page_request import LinkedName, Page, PageRequest
from ..pictures.graphs import release_picture, releases_picture

_PAGE = 50
_MOST_EXPORTS = 500
_LONGEST = 200


def libraries(request: PageRequest) -> Page:
    """The search of all releases, with the results for ``q``; without it, the list of all releases."""
    query = request.argument("q").strip()[:_LONGEST]
    asked = asked_by(request, CatalogSearchParameters, query=query, limit=_PAGE)
    title = f"{query} - libraries" if query else "Libraries"
    with _catalog() as catalog:
        if catalog is None:
            return _no_catalog(200)  # every page links to this one
        if not query:
            listed = catalog.releases(limit=0)
            return Page("library/list", {"title": title, "listed": listed}, answer=listed)
        answer = catalog.ask(asked)
    context: dict[str, object] = {"title": title, "words": query, "answer": answer, "offset": asked.offset}
    if isinstance(answer, CatalogSearchAnswer):
        rest = asked.offset + len(answer.matches)
        more = request.links.listing("libraries", q=query, offset=str(rest))
        context["next"] = more if rest < answer.total else None
        context["matches"] = [(one, _symbol(request, one)) for one in answer.matches]
    return Page("library/list", context, answer=answer)


def release(request: PageRequest) -> Page:
    """The page of the release that the URL names, such as alexandria@1.0.1."""
    name = request.segments["release"]
    offset = request.number("offset")
    with _catalog() as catalog:
        if catalog is None:
            return _no_catalog()
        found = releases_called(catalog, name)
        answer = catalog.show(name)
        if isinstance(found, NotFound) or isinstance(answer, NotFound):
            assert isinstance(answer, NotFound)
            return _unknown(request, answer)
        number = found[0].id
        limits = page_of(_MOST_EXPORTS, offset)
        rows = catalog.rows(catalog_sql.EXPORTS_OF, release=number, **limits)
        labels = _labels(catalog)
        picture = release_picture(request, catalog.rows(catalog_sql.DEPENDENCIES), labels, number)
    shown = offset + len(rows)
    more = request.links.release(answer.release, offset=str(shown)) if shown < answer.exports else None
    context = {
        "title": f"release {answer.release}",
        "answer": answer,
        "exports": [_export(ReleaseExportRow._make(row)) for row in rows],
        "next": more,
        "others": [one for one in answer.versions if one != answer.release],
        "needs": _named(request, answer, needed=True),
        "needed_by": _named(request, answer, needed=False),
        "picture": picture,
    }
    return Page("library/release", context, answer=answer)


def graph(request: PageRequest) -> Page:
    """The picture of how releases depend on each other: of those that most others need."""
    with _catalog() as catalog:
        if catalog is None:
            return _no_catalog()
        edges = catalog.rows(catalog_sql.DEPENDENCIES)
        labels = _labels(catalog)
    picture = releases_picture(request, edges, labels)
    answer = {"dependencies": [{"release": labels[one], "needs": labels[other]} for one, other in edges]}
    return Page("library/graph", {"title": "Library graph", "picture": picture}, answer=answer)


@contextmanager
def _catalog() -> Iterator[Catalog | None]:
    """The catalog, opened for one page; None if there is none."""
    try:
        catalog = open_catalog()
    except IndexMissingError:
        yield None
        return
    with catalog:
        yield catalog


def _no_catalog(status: int = 404) -> Page:
    reason = (
        "A catalog lists the libraries of a machine, loaded or not. Make one with: oblist catalog build --all"
    )
    context = {"title": "No catalog", "message": "There is no catalog", "reason": reason}
    return Page("problem", context, status=status, answer={"error": "no-catalog"})


def _unknown(request: PageRequest, answer: NotFound) -> Page:
    context = {
        "title": answer.message,
        "message": answer.message,
        "reason": answer.reason,
        "suggestions": [LinkedName(one, request.links.release(one)) for one in answer.suggestions],
    }
    return Page("problem", context, status=404, answer=answer)


def _labels(catalog: Catalog) -> dict[int, str]:
    rows = map(LabelRow._make, catalog.rows(catalog_sql.RELEASE_LABELS))
    return {row.number: label(row.name, row.version) for row in rows}


def _symbol(request: PageRequest, match: CatalogMatch) -> str | None:
    """The page of a match, if the index that is browsed has it."""
    if match.package not in request.index.package_numbers:
        return None
    return request.links.symbol(match.package, match.name)


def _export(row: ReleaseExportRow) -> tuple[ReleaseExportRow, str | None]:
    return row, first_sentence(row.documentation)


def _named(request: PageRequest, answer: ReleaseAnswer, *, needed: bool) -> list[LinkedName]:
    """The releases at the other ends of dependencies, each once."""
    found: dict[str, LinkedName] = {}
    for one in answer.dependencies if needed else answer.dependents:
        text = one.release or one.system
        found[text] = LinkedName(text, request.links.release(one.release) if one.release else None)
    return list(found.values())
