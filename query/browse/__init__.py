"""The pages of an index, as a plugin of Datasette: one for each package, symbol, class, system and file.

Datasette loads it in every environment that has oblist. It affects only databases that are oblist
indexes: their pages are at ``/DATABASE/-/home`` and below, their tables and columns are described, their
connections are read-only, and a replaced file is served at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pluggy import HookimplMarker

hookimpl = HookimplMarker("datasette")


@hookimpl
def startup(datasette: Any) -> None:
    """Take over the databases that are indexes."""
    from .database import take_over

    take_over(datasette)


@hookimpl
def asgi_wrapper(datasette: Any) -> Callable[[Any], Any]:
    """Answer each request from one build of an index, even if the file is replaced meanwhile."""
    from .database import one_build_for_each_request

    return one_build_for_each_request


@hookimpl
def handle_exception(datasette: Any, request: Any, exception: Exception) -> Any:
    """Answer with a sentence if an index is busy; blame the request for what Datasette refuses."""
    from .database import TooManyStatementsError
    from .routes import blame_request, busy

    if isinstance(exception, TooManyStatementsError):
        return busy(exception)
    blame_request(datasette, exception)
    return None


@hookimpl
def register_routes(datasette: Any) -> list[tuple[str, Callable[..., Any]]]:
    """The routes to the pages; none if there is no index to show."""
    from .database import index_files
    from .routes import routes

    return routes(index_files(datasette))


@hookimpl
def get_metadata(datasette: Any, key: str | None, database: str | None, table: str | None) -> dict[str, Any]:
    """The descriptions of the tables and columns of indexes, read from their files."""
    from .database import indexes
    from .tables import table_metadata

    return {"databases": {name: table_metadata(index) for name, index in indexes(datasette).items()}}


@hookimpl
def canned_queries(datasette: Any, database: str, actor: Any) -> dict[str, Any]:
    """The named SQL queries of an index."""
    from .database import indexes
    from .tables import named_queries

    return named_queries() if database in indexes(datasette) else {}


@hookimpl
def prepare_connection(conn: Any, database: str, datasette: Any) -> None:
    """Make connections to indexes read-only, and bound the memory they can take."""
    from .database import indexes, restrict

    if database in indexes(datasette):
        restrict(conn)


@hookimpl
def extra_css_urls(datasette: Any, database: str | None) -> list[str]:
    """The style sheet that gives Datasette's own pages about indexes a dark colour scheme."""
    from .database import indexes

    found = indexes(datasette)
    shown = database in found if database else len(found) == len(datasette.databases)
    return [str(datasette.urls.static_plugins("oblist", "tables.css"))] if shown else []


@hookimpl
def render_cell(row: Any, value: Any, column: str, database: str, datasette: Any) -> Any:
    """A name in a table or query result as a link to its page, if the row has enough data to find it."""
    if column not in ("symbol", "package", "system") or not isinstance(value, str):
        return None
    from .database import indexes
    from .tables import linked_cell

    index = indexes(datasette).get(database)
    return linked_cell(datasette, index, row, column) if index is not None else None


@hookimpl
def menu_links(datasette: Any, actor: Any, request: Any) -> list[dict[str, str]]:
    """Links from Datasette's own pages to the pages of indexes."""
    from .database import indexes
    from .links import home_link

    return [
        {"href": home_link(datasette, index), "label": f"Symbols of {name}"}
        for name, index in indexes(datasette).items()
    ]


@hookimpl
def database_actions(datasette: Any, actor: Any, database: str, request: Any) -> list[dict[str, str]]:
    """The link from an index's tables to its pages."""
    from .database import indexes
    from .links import home_link

    index = indexes(datasette).get(database)
    return [{"href": home_link(datasette, index), "label": "Browse its symbols"}] if index else []
