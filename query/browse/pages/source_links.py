"""The links in shown sources: from each place that names a global definition to that definition.

The walk of the language server tells what a name means where it stands, so a local variable does not link to
a function of the same name, and a name in the position of a variable leads to the variable.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ...index.finding.setf_names import belongs_to
from ...index.relations import RELATIONS
from ...questions.definition.ask import package_read_in
from ...syntax.current_package import first_package
from ...syntax.nodes import Form
from ...syntax.reader import read
from ...syntax.tokens import KEYWORD
from ...syntax.walk.files import WalkedForm, walk_text
from ...syntax.walk.results import Occurrence
from .. import sql
from ..page_index import place_of
from ..page_request import PageRequest

_MENTIONS = "mentions"
# The namespaces that a name may mean something different in, by their documentation types.
_NAMESPACES = frozenset(("FUNCTION", "VARIABLE", "TYPE"))
# The definitions on the first page of a symbol: only these have an anchor there.
MOST_DEFINITIONS = 20
# Walking more takes seconds; nearly all longer files are tables of data.
_MOST_WALKED = 1_000_000
_MOST_KEPT = 20_000


class Link(NamedTuple):
    """A stretch of a text that is a link."""

    start: int
    end: int
    href: str


class SourceLinks:
    """The links in the sources that one page shows."""

    def __init__(self, request: PageRequest) -> None:
        self._request = request
        self._named: dict[int, list[sql.NamespaceRow]] = request.index.once("namespaces", dict)

    def lines(self, file: int) -> list[str]:
        """The lines of a source file."""
        return [text.removesuffix("\r") for (text,) in self._request.index.rows(sql.LINES, file=file)]

    def are_links_in(self, lines: Sequence[str]) -> bool:
        """Whether a text of these lines is short enough to look for links in it."""
        return sum(map(len, lines)) + len(lines) <= _MOST_WALKED

    def of_lines(self, file: int, lines: Sequence[str], first: int, last: int) -> list[Link]:
        """The links in the ``lines`` of a source file from ``first`` to ``last``.

        The offsets count from the beginning of the first line; lines end with one character.
        """
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        start, end = starts[min(first - 1, len(lines))], starts[min(last, len(lines))]
        package = first_package(place_of(self._request.index.files[file])[1])
        walked = self._walked("\n".join(lines), package, (start, end))
        return [
            Link(one.start - start, one.end - start, one.href)
            for one in self._links(walked)
            if start <= one.start and one.end <= end
        ]

    def of_definition(self, file: int | None, line: int | None, column: int | None, text: str) -> list[Link]:
        """The links in a definition's own text, which begins at a place of a file.

        The text may be inside another form, which may bind names around it.
        """
        if file is None or line is None or column is None:
            return []
        last = line + text.count("\n")
        first = line if column == 1 else self._beginning(file, line, last)
        where = package_read_in(self._request.index, file, first) if first is not None else None
        if first is None or where is None:
            first = line
            links = self.of_lines(file, self.lines(file), line, last)
        else:
            lines = self._toplevel(file, first, last) if column > 1 else text
            links = self.of_text(lines, where.name)
            column += sum(len(one) + 1 for one in lines.split("\n")[: line - first])
        start, end = column - 1, column - 1 + len(text)
        return [
            Link(one.start - start, one.end - start, one.href)
            for one in links
            if start <= one.start and one.end <= end
        ]

    def _beginning(self, file: int, line: int, last: int) -> int | None:
        """The line at which the toplevel form around some lines begins; None if that is not certain.

        Reading a whole file for each definition would take long.
        """
        index = self._request.index
        for (first,) in index.rows(sql.MARGINS_ABOVE, file=file, line=line):
            toplevel = next(read(self._toplevel(file, first, last), index.code.features), None)
            if toplevel is not None and toplevel.closed and isinstance(toplevel.node, Form):
                text = self._toplevel(file, first, last)[: toplevel.node.end]
                if toplevel.node.start == 0 and first + text.count("\n") >= last:
                    return int(first)
        return None

    def _toplevel(self, file: int, first: int, last: int) -> str:
        """The text from a line to the one before the next margin below another."""
        index = self._request.index
        below = index.rows(sql.MARGIN_BELOW, file=file, line=last)
        end = below[0][0] if below else sys.maxsize
        rows = index.rows(sql.LINES_BETWEEN, file=file, first=first, end=end)
        return "\n".join(text.removesuffix("\r") for (text,) in rows)

    def of_text(self, text: str, package: str) -> list[Link]:
        """The links in toplevel forms that are read in a package."""
        return list(self._links(self._walked(text, package)))

    def of_fragment(self, text: str, package: str) -> list[Link]:
        """The links in a form without the forms around it: no link for what may be a variable bound there."""
        walked = self._walked(text, package)
        return list(self._links(walked, certain=True))

    def of_name(self, name: str, package: str) -> str | None:
        """The page of what a name means in a package; None for a keyword or without a definition."""
        code = self._request.index.code
        token = code.tokens.symbol(name)
        symbol = code.meanings.symbol(token, package) if token is not None else None
        if symbol is None or symbol.number is None or symbol.package in (None, KEYWORD):
            return None
        self._look_up({symbol.number})
        return self._href(Occurrence(0, len(name), symbol, None, _MENTIONS))

    def _walked(
        self, text: str, package: str, between: tuple[int, int] | None = None
    ) -> Iterator[WalkedForm]:
        code = self._request.index.code
        if len(text) > _MOST_WALKED:
            return iter(())
        return walk_text(text, package, code.features, code.meanings, code.tokens, own=False, between=between)

    def _links(self, forms: Iterable[WalkedForm], *, certain: bool = False) -> Iterator[Link]:
        places = [one for form in forms for one in form.walked.global_places()]
        self._look_up({one.symbol.number for one in places if one.symbol.number is not None})
        for one in places:
            if not (certain and one.relation == _MENTIONS) and (href := self._href(one)) is not None:
                yield Link(one.start, one.start + one.length, href)

    def _look_up(self, symbols: set[int]) -> None:
        """Read the definitions of symbols, all at once."""
        if len(self._named) > _MOST_KEPT:
            self._named.clear()
        new = sorted(symbols - self._named.keys())
        self._named.update((symbol, []) for symbol in new)
        for row in self._request.index.rows(sql.NAMESPACES, symbols=json.dumps(new)):
            namespace = sql.NamespaceRow._make(row)
            self._named[namespace.symbol].append(namespace)

    def _href(self, place: Occurrence) -> str | None:
        """The page of the definition that a place means; None if the index has no such definition."""
        symbol, operator = place.symbol, place.operator
        rows = self._named.get(symbol.number, []) if symbol.number is not None else []
        if symbol.package is None or not rows:
            return None
        links = self._request.links
        if operator is not None and any(belongs_to(one.operator, one.type, operator) for one in rows):
            return links.symbol(symbol.package, symbol.name, operator)
        anchor = _anchor(rows, RELATIONS[place.relation].refers_to)
        return links.symbol(symbol.package, symbol.name) + (f"#{anchor}" if anchor else "")


def _anchor(rows: list[sql.NamespaceRow], types: tuple[str, ...]) -> str | None:
    """The anchor of the first definition of one of these types, if the name has others as well."""
    if len(_NAMESPACES.intersection(one.type for one in rows if one.type)) < 2 or len(types) == len(
        _NAMESPACES
    ):
        return None
    for wanted in types:
        for one in rows:
            if one.type == wanted and one.operator is None:
                return one.kind if one.before < MOST_DEFINITIONS else None
    return None
