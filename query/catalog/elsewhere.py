"""What the catalog knows of a name that an index does not have: surfaces add it, not questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from oblist.indexer.format import catalog_file
from oblist.indexer.names import InvalidNameError, split_name, split_package

from ..errors import QueryError
from ..index.not_found import NotFound
from .api import Catalog, open_catalog

if TYPE_CHECKING:
    from .provides.answer import Provider

_MOST_NAMED = 3
_ABOUT_NAMES = frozenset(("package-not-found", "symbol-not-found", "type-not-found"))


def with_elsewhere(answer: NotFound, asked: str, path: str | None = None) -> NotFound:
    """``answer``, and what the catalog has of the name ``asked``, if there is a catalog at ``path``.

    ``path`` is as for open_catalog. An unusable catalog is ignored: the question was about an index.
    """
    if answer.error not in _ABOUT_NAMES or not catalog_file(path).is_file():
        return answer
    try:
        with open_catalog(path) as catalog:
            text = _elsewhere(catalog, answer, asked)
    except QueryError:
        return answer
    return replace(answer, elsewhere=text) if text else answer


def packages_elsewhere(packages: Iterable[str], path: str | None = None) -> dict[str, str]:
    """Of the packages with these exact names, those that releases define: which releases, in words."""
    if not catalog_file(path).is_file():
        return {}
    try:
        with open_catalog(path) as catalog:
            found = {name: _package(catalog, name) for name in packages}
    except QueryError:
        return {}
    return {name: text for name, text in found.items() if text}


def _elsewhere(catalog: Catalog, answer: NotFound, asked: str) -> str | None:
    if answer.error == "package-not-found":
        return _told(_package(catalog, _package_name(catalog, asked)))
    found = _providers(catalog, asked)
    symbols = [one for one in found if one.what == "symbol" and one.status == "external"]
    if not symbols:
        return None
    return _told(_listed(symbols))


def _told(what: str | None) -> str | None:
    return f"Not loaded, but in the catalog: {what}." if what else None


def _providers(catalog: Catalog, text: str) -> list[Provider]:
    from .provides.ask import providers

    try:
        return providers(catalog, split_name(text, catalog.upcase), text)
    except InvalidNameError:
        return []


def _package_name(catalog: Catalog, asked: str) -> str:
    """The package in a name with a prefix, else the name itself."""
    try:
        typed = split_name(asked, catalog.upcase)
    except InvalidNameError:
        typed = None
    token = typed.package if typed and typed.package else split_package(asked, catalog.upcase)
    return token.upcased


def _package(catalog: Catalog, name: str) -> str | None:
    found = _providers(catalog, f"|{name}|") if "|" not in name else []
    releases = list(dict.fromkeys(one.release or "" for one in found if one.what == "package"))
    if not releases:
        return None
    noun = "release" if len(releases) == 1 else "releases"
    verb = "defines" if len(releases) == 1 else "define"
    return f"the {noun} {', '.join(releases[:_MOST_NAMED])} {verb} it"


def _listed(symbols: list[Provider]) -> str:
    named = [f"{one.written} in {one.release}" for one in symbols[:_MOST_NAMED]]
    more = len(symbols) - _MOST_NAMED
    return ", ".join(named) + (f", and {more} more" if more > 0 else "")
