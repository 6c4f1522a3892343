"""The URLs of pages, made from package and name as typed, so that they survive a rebuild of the index.

Each part is a path segment in Datasette's tilde encoding, which escapes ``/``, ``%``, ``.`` and pipes:
``/oblist/-/symbol/common-lisp/1~2B`` is ``1+``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlencode

from datasette.utils import tilde_decode, tilde_encode

from ..index.written import own_name

if TYPE_CHECKING:
    from .database import IndexDatabase


def home_link(datasette: Any, index: IndexDatabase) -> str:
    """The URL of the first page of an index."""
    return f"{base_of(datasette, index)}/home"


def base_of(datasette: Any, index: IndexDatabase) -> str:
    """The prefix of the URLs of all pages of an index."""
    return str(datasette.urls.path(f"/{tilde_encode(index.route)}/-"))


# A page has hundreds of links, most of them to a few packages and files.
_encoded = lru_cache(maxsize=4096)(tilde_encode)


def decoded(segment: str) -> str:
    """The text that a URL segment encodes. Only a URL typed by hand contains a percent sign."""
    return unquote(segment) if "%" in segment else str(tilde_decode(segment))


class Links:
    """The URLs of the pages of one index."""

    def __init__(self, base: str, tables: str, upcase: Callable[[str], str]) -> None:
        """``base`` is the URLs' prefix, ``tables`` the page of the tables; ``upcase`` is the index's."""
        self.base = base
        self.tables = tables
        self.upcase = upcase

    def home(self) -> str:
        """The first page."""
        return f"{self.base}/home"

    def search(self, /, **arguments: str) -> str:
        """The search page for these arguments."""
        return self._page("search", **arguments)

    def listing(self, what: str, **arguments: str) -> str:
        """The page that lists all packages, systems, libraries or problems (``what``), or a ``graph``."""
        return self._page(what, **arguments)

    def package(self, name: str, **arguments: str) -> str:
        """The page of a package."""
        return self._page("package", self.own_name(name), **arguments)

    def symbol(self, package: str, name: str, operator: str | None = None, **arguments: str) -> str:
        """The page of a symbol or, with an operator, of ``(setf symbol)``."""
        return self._page("symbol", self.own_name(package), self.own_name(name, operator), **arguments)

    def class_(self, package: str, name: str, **arguments: str) -> str:
        """The page of a class."""
        return self._page("class", self.own_name(package), self.own_name(name), **arguments)

    def slot(self, package: str, name: str, slot: str) -> str:
        """The page of a slot of a class."""
        parts = self.own_name(package), self.own_name(name), self.own_name(slot)
        return self._page("slot", *parts)

    def edit_sites(self, package: str, name: str, operator: str | None = None) -> str:
        """The page of what a new lambda list of a function affects."""
        return self._page("edit-sites", self.own_name(package), self.own_name(name, operator))

    def system(self, name: str) -> str:
        """The page of a system."""
        return self._page("system", name)

    def release(self, release: str, **arguments: str) -> str:
        """The page of a release in the catalog."""
        return self._page("release", release, **arguments)

    def source(self, root: str, path: str, line: int | None = None) -> str:
        """The page of a source file, at a line."""
        if line is None:
            return self._page("source", root, path)
        return f"{self._page('source', root, path, line=str(line))}#L{line}"

    def query(self, query: str, /, **arguments: str) -> str:
        """The page of a named query or a view."""
        path = f"{self.tables}/{tilde_encode(query)}"
        return f"{path}?{urlencode(arguments)}" if arguments else path

    def own_name(self, name: str, operator: str | None = None) -> str:
        """A name as one types it: ``flatten``, ``|odd Name|``."""
        return own_name(name, self.upcase, operator)

    def _page(self, *segments: str, **arguments: str) -> str:
        path = "/".join([self.base, *(_encoded(segment) for segment in segments)])
        given = {key: value for key, value in arguments.items() if value}
        return f"{path}?{urlencode(given)}" if given else path
