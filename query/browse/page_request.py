"""What a page is made from, and what it is: the one between the other is a function of each page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..index.written import SymbolRow
from ..questions.classes.sql import CLASS_SYMBOL
from .page_index import place_of

if TYPE_CHECKING:
    from .links import Links
    from .page_index import PageIndex


@dataclass(slots=True)
class Page:
    """A page: the template it is rendered with, and what from."""

    template: str
    context: dict[str, Any] = field(default_factory=dict)
    status: int = 200
    answer: Any = None  # what its JSON is
    elsewhere: str | None = None  # its own URL, when it was asked for by another
    part: bool = False  # only what changes while somebody types


class Named(NamedTuple):
    """A name with the page that is about it."""

    text: str
    link: str | None


class PageRequest:
    """A request for one page: the index to ask, the links between pages, and the parts of the URL."""

    def __init__(
        self,
        index: PageIndex,
        links: Links,
        segments: dict[str, str],
        arguments: dict[str, str],
        path: str = "",
    ) -> None:
        """``segments`` are the parts of the URL's path, ``arguments`` what stands behind its question mark.

        ``path`` is its path as it was asked for; empty when it does not matter.
        """
        self.index = index
        self.links = links
        self.segments = segments
        self._arguments = arguments
        self._path = path
        self._symbols: dict[int, SymbolRow] = {}

    def argument(self, name: str) -> str:
        """What the URL says of ``name`` behind its question mark; empty when it says nothing."""
        return self._arguments.get(name) or ""

    def number(self, name: str) -> int:
        """A number that the URL says, 0 when it says none."""
        text = self.argument(name)
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0

    def symbol(self, number: int, operator: str | None = None) -> Named:
        """The symbol of that number, as one types it, with its page."""
        if number not in self._symbols:
            (row,) = self.index.rows(CLASS_SYMBOL, symbol=number)
            self._symbols[number] = SymbolRow(*row)
        found = self._symbols[number]
        link = None
        if found.package is not None:
            link = self.links.symbol(self.index.package_names[found.package], found.name, operator)
        return Named(found.written(self.index, operator), link)

    def place(self, file: int | None, line: int | None) -> Named | None:
        """A place in a source file, with the page of the file at the line."""
        if file is None:
            return None
        root, path = place_of(self.index.files[file])
        text = path if line is None else f"{path}:{line}"
        return Named(text, self.links.source(root, path, line))

    def moved(self, own: str) -> Page | None:
        """The way to a page's own URL when it was asked for by another, such as that of a nickname."""
        return Page("", elsewhere=own) if self._path and self._path != own else None
