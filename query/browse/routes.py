"""The routes of the pages: each page is made in a thread and rendered here."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict, is_dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

from datasette import NotFound as PageNotFound
from datasette.utils.asgi import Response
from datasette.views.base import DatasetteError

from ..errors import QueryError
from ..index.damage import blaming
from ..index.incomplete import told
from ..index.not_found import NotFound
from ..processes.local_requests import RETRY_SECONDS
from ..syntax.printed import as_typed, lower_symbols
from .database import IndexDatabase, TooManyStatementsError, indexes
from .links import Links, base_of, decoded, home_link
from .on_this_page import on_this_page
from .page_index import PageIndex
from .page_request import Page, PageRequest
from .project import project_name

# The pages: the parts of each URL, and the function that makes the page.
_PAGES = {
    "home": ((), "home:home"),
    "search": ((), "search:search_page"),
    "packages": ((), "lists:packages"),
    "graph": ((), "lists:graph"),
    "systems": ((), "lists:systems"),
    "problems": ((), "lists:problems"),
    "sbcl-problems": ((), "lists:sbcl_problems"),
    "package": (("package",), "package:package"),
    "symbol": (("package", "name"), "symbol:symbol"),
    "class": (("package", "name"), "classes:class_"),
    "slot": (("package", "name", "slot"), "places:slot"),
    "edit-sites": (("package", "name"), "places:edit_sites"),
    "audit": ((), "places:audit"),
    "uses": ((), "places:uses"),
    "outline": ((), "places:outline"),
    "system": (("system",), "system:system"),
    "source": (("root", "path"), "source:source"),
    "libraries": ((), "libraries:libraries"),
    "library-graph": ((), "libraries:graph"),
    "release": (("release",), "libraries:release"),
}
# Names, documentation and sources are untrusted: nothing in a page may run or fetch anything.
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-cache",  # a rebuilt index must show at once
}
_BAD_REQUEST, _FAILED = 400, 500
_View = Callable[..., Awaitable[Any]]


def routes(names: list[str]) -> list[tuple[str, _View]]:
    """The patterns and views of all pages of the databases ``names``; for only one, of the root as well."""
    if not names:
        return []
    found: list[tuple[str, _View]] = [(r"/$", _first_page)] if len(names) == 1 else []
    for page, (parts, _) in _PAGES.items():
        segments = "".join(rf"/(?P<{part}>[^/]+?)" for part in parts)
        pattern = rf"/(?P<database>[^/.]+)/-/(?P<page>{page}){segments}(\.(?P<format>json))?$"
        found.append((pattern, _show))
    found.append((r"/(?P<database>[^/.]+)/-(/.*)?$", _no_page))
    return found


async def _first_page(datasette: Any, request: Any) -> Any:
    """Redirect from the root of the server to the only index."""
    (index,) = indexes(datasette).values()
    return Response.redirect(home_link(datasette, index))


async def _show(datasette: Any, request: Any) -> Any:
    """The response for the page at a URL."""
    segments = {key: decoded(value) for key, value in request.url_vars.items() if value is not None}
    database = _database(datasette, segments["database"])
    await datasette.ensure_permissions(request.actor, [("view-database", database.name), "view-instance"])

    def ask() -> tuple[Page, Links, str]:
        with database.pages.lent() as index:
            assert isinstance(index, PageIndex)
            index.reopen_if_replaced()
            tables = str(datasette.urls.database(database.name))
            links = Links(base_of(datasette, database), tables, index.upcase)
            arguments = {key: request.args.get(key) for key in request.args}
            path = "" if "format" in segments else request.path
            page_request = PageRequest(index, links, segments, arguments, path)
            page = _function(segments["page"])(page_request)
            if hasattr(page.answer, "incomplete"):
                page = replace(page, answer=told(index, page.answer))
            return page, links, project_name(index)

    async def answered(page: Page, links: Links, project: str) -> Any:
        if "format" in segments:
            return Response.json(_plain(page.answer), status=page.status, headers=_HEADERS)
        if page.redirect is not None:
            return Response.redirect(page.redirect)
        return await _rendered(datasette, request, page, links, project)

    try:
        with blaming(database.readings()):
            return await answered(*await database.in_thread(ask))
    except QueryError as error:
        page = Page("problem", {"title": "No answer", "message": str(error)}, status=503)
        return await answered(page, Links(base_of(datasette, database), "", str.upper), "")


async def _no_page(datasette: Any, request: Any) -> Any:
    """The response for a URL that is not a page; Datasette would take the URL for a row of a table."""
    database = _database(datasette, decoded(request.url_vars["database"]))
    await datasette.ensure_permissions(request.actor, [("view-database", database.name), "view-instance"])
    message = f"{request.path} is not a page of this index."
    page = Page("problem", {"title": "No such page", "message": message}, status=404)
    return await _rendered(datasette, request, page, Links(base_of(datasette, database), "", str.upper))


def busy(error: TooManyStatementsError) -> Any:
    """The response while too many statements wait."""
    return Response.text(f"{error}\n", status=503, headers={"Retry-After": str(RETRY_SECONDS)})


def blame_request(datasette: Any, error: Exception) -> None:
    """Give a request that Datasette refuses, such as to sort by no column, the status of a bad request.

    Datasette says that the server has failed.
    """
    if indexes(datasette) and isinstance(error, DatasetteError) and error.status == _FAILED:
        error.status = _BAD_REQUEST


def _database(datasette: Any, route: str) -> IndexDatabase:
    for database in indexes(datasette).values():
        if database.route == route:
            return database
    raise PageNotFound(f"{route} is not an index")


def _function(page: str) -> Callable[[PageRequest], Page]:
    """The function that makes a page, imported on demand because some need heavy libraries."""
    module, name = _PAGES[page][1].split(":")
    function: Callable[[PageRequest], Page] = getattr(import_module(f".pages.{module}", __package__), name)
    return function


async def _rendered(datasette: Any, request: Any, page: Page, links: Links, project: str = "") -> Any:
    part = f"_{page.part}" if page.part else ""
    body = await datasette.render_template(
        f"oblist_{page.template}{part}.html",
        {
            "links": links,
            "project": project,
            "on_this_page": on_this_page,
            "query": request.args.get("q") or "",
            "one_line": _one_line,
            # To show Lisp as one writes it.
            "as_typed": partial(as_typed, upcase=links.upcase),
            "arglist_as_typed": partial(as_typed, upcase=links.upcase, lambda_list=True),
            "lower": partial(lower_symbols, upcase=links.upcase),
            "own_name": links.own_name,
            "incomplete": getattr(page.answer, "incomplete", None),
            **page.context,
        },
        request=request,
        view_name=f"oblist-{page.template}",
    )
    return Response.html(body, status=page.status, headers=_HEADERS)


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _plain(answer: Any) -> Any:
    if is_dataclass(answer) and not isinstance(answer, type):
        return asdict(answer)
    return answer if answer is not None else {"error": NotFound.__name__}
