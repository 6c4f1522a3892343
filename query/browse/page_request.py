"""The request for a page, and the page: each kind of page is a function from one to the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..index.written import SymbolRow
from ..questions.classes.answer import ClassAnswer, MethodAnswer
from ..questions.classes.sql import CLASS_SYMBOL
from .page_index import place_of

if TYPE_CHECKING:
    from .links import Links
    from .page_index import PageIndex


@dataclass(slots=True)
class Page:
    """A page: its template, and the context to render it with."""

    template: str
    context: dict[str, Any] = field(default_factory=dict)
    status: int = 200
    answer: Any = None  # the content of the page, for its JSON form
    redirect: str | None = None  # the URL to redirect to, when another one was requested
    part: str = ""  # the only part that was asked for, while the user types: "results" or "choices"


class LinkedName(NamedTuple):
    """A name with a link to its page."""

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
        """``segments`` are the parts of the URL's path, ``arguments`` its query string.

        ``path`` is the path as requested; empty when it does not matter.
        """
        self.index = index
        self.links = links
        self.segments = segments
        self._arguments = arguments
        self._path = path
        self._symbols: dict[int, SymbolRow] = {}

    def argument(self, name: str) -> str:
        """The argument ``name`` of the query string; empty when it is missing."""
        return self._arguments.get(name) or ""

    def number(self, name: str) -> int:
        """A number from the query string; 0 when it is missing or not a number."""
        text = self.argument(name)
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0

    def symbol(self, number: int, operator: str | None = None) -> LinkedName:
        """The symbol with this number, as typed, with a link to its page."""
        if number not in self._symbols:
            (row,) = self.index.rows(CLASS_SYMBOL, symbol=number)
            self._symbols[number] = SymbolRow(*row)
        found = self._symbols[number]
        link = None
        if found.package is not None:
            link = self.links.symbol(self.index.package_names[found.package], found.name, operator)
        return LinkedName(found.written(self.index, operator), link)

    def place(self, file: int | None, line: int | None) -> LinkedName | None:
        """A place in a source file, with a link to that line on the file's page."""
        if file is None:
            return None
        root, path = place_of(self.index.files[file])
        text = path if line is None else f"{path}:{line}"
        return LinkedName(text, self.links.source(root, path, line))

    def located(self, answer: ClassAnswer | MethodAnswer) -> LinkedName | None:
        """The place that an answer tells, with a link to it."""
        file = self.index.file_named(answer.root, answer.relative_path, answer.path)
        return self.place(file, answer.line)

    def moved(self, own: str) -> Page | None:
        """The redirect to a page's own URL when another URL was requested, such as one with a nickname."""
        return Page("", redirect=own) if self._path and self._path != own else None
