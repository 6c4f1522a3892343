"""Render Lisp source as HTML: highlighted by Pygments, with links on symbols."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from markupsafe import Markup, escape
from pygments.lexers.lisp import CommonLispLexer
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType

from ...index.finding.resolve import PackageRow, symbol_read
from ...syntax.lexemes import lexemes
from ..page_request import PageRequest

# Pygments token types and the CSS class of each. The first type that contains a token counts.
_CLASSES = (
    (Comment, "c"),
    (String.Symbol, "y"),  # keywords
    (String, "s"),
    (Number, "n"),
    (Keyword, "k"),
    (Name.Builtin, "k"),
    (Name.Exception, "k"),
)
_LEXER = CommonLispLexer()


class _Stretch(NamedTuple):
    """A stretch of text that is shown in one way."""

    start: int
    end: int
    shown: str


def highlighted(text: str, link: Callable[[str, int], str | None]) -> list[Markup]:
    """The lines of ``text`` as HTML. ``link`` returns the URL for a symbol as written and its offset."""
    lines: list[list[str]] = [[]]
    links = list(_links(text, link))
    next_link = 0
    for stretch in _coloured(text):
        start, end, style = stretch
        while start < end:
            while next_link < len(links) and links[next_link].end <= start:
                next_link += 1
            within = links[next_link] if next_link < len(links) else None
            stop, href = end, ""
            if within is not None and within.start <= start:
                stop, href = min(end, within.end), within.shown
            elif within is not None:
                stop = min(end, within.start)
            for number, piece in enumerate(text[start:stop].split("\n")):
                if number:
                    lines.append([])
                if piece:
                    lines[-1].append(_piece(piece, style, href))
            start = stop
    return [Markup("".join(pieces)) for pieces in lines]  # noqa: S704 - _piece has escaped them


def _coloured(text: str) -> Iterator[_Stretch]:
    """The whole text in stretches of one style; adjacent stretches have different styles."""
    begun, style = 0, ""
    for start, kind, _ in _LEXER.get_tokens_unprocessed(text):
        if (own := _style(kind)) != style:
            yield _Stretch(begun, start, style)
            begun, style = start, own
    yield _Stretch(begun, len(text), style)


@cache
def _style(kind: _TokenType) -> str:
    """The CSS class for a Pygments token type; cached, as there are few types."""
    return next((name for token, name in _CLASSES if kind in token), "")


def _links(text: str, link: Callable[[str, int], str | None]) -> Iterator[_Stretch]:
    for kind, piece, start in lexemes(text):
        if kind == "symbol" and (href := link(piece, start)) is not None:
            yield _Stretch(start, start + len(piece), href)


def _piece(text: str, style: str, href: str) -> str:
    """A piece of a line as HTML, built by hand because a page has thousands."""
    piece = str(escape(text))
    if style:
        piece = f'<span class="{style}">{piece}</span>'
    return f'<a href="{escape(href)}">{piece}</a>' if href else piece


class SymbolLinks:
    """Links for the symbols in sources; a link depends on the package in which a name is read."""

    def __init__(self, request: PageRequest) -> None:
        self._request = request
        self._known: dict[tuple[int, str], str | None] = {}

    def in_package(self, package: PackageRow | None) -> Callable[[str, int], str | None]:
        """Links for a text that is read in one package; no links for an unknown package."""
        return lambda text, _: self._link(text, package)

    def in_packages(
        self, starts: list[int], packages: list[PackageRow | None]
    ) -> Callable[[str, int], str | None]:
        """Links for a text that is read in ``packages[i]`` from the offset ``starts[i]`` on."""
        return lambda text, offset: self._link(text, packages[bisect_right(starts, offset) - 1])

    def _link(self, text: str, package: PackageRow | None) -> str | None:
        if package is None or text.startswith(":"):
            return None
        key = package.id, text
        if key not in self._known:
            self._known[key] = self._find(text, package)
        return self._known[key]

    def _find(self, text: str, package: PackageRow) -> str | None:
        index = self._request.index
        read = symbol_read(index, text, package)
        if read is None or read[0].type == "SYMBOL" or read[0].home is None:
            return None
        return self._request.links.symbol(index.package_names[read[0].home], read[0].name)
