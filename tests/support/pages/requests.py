"""A request for a page of an index, without a server."""

from __future__ import annotations

from pathlib import Path

from oblist.query.browse.links import Links
from oblist.query.browse.page_index import PageIndex
from oblist.query.browse.page_request import PageRequest
from support.pages.browsing import BASE


def request_of(path: Path, **segments: str) -> PageRequest:
    """The request for a page; its index stays open until the caller closes it."""
    index = PageIndex(path, {})
    index.reopen_if_replaced()
    return PageRequest(index, Links(BASE, "/oblist", index.upcase), segments, {})
