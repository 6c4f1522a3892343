"""Render Lisp source as HTML: highlighted by Pygments, with links on symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from markupsafe import Markup, escape
from pygments.lexers.lisp import CommonLispLexer
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType

from .source_links import Link

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


def highlighted(text: str, links: Sequence[Link] = ()) -> list[Markup]:
    """The lines of ``text`` as HTML, with ``links`` in the order of the text."""
    lines: list[list[str]] = [[]]
    next_link = 0
    for stretch in _coloured(text):
        start, end, style = stretch
        while start < end:
            while next_link < len(links) and links[next_link].end <= start:
                next_link += 1
            within = links[next_link] if next_link < len(links) else None
            stop, href = end, ""
            if within is not None and within.start <= start:
                stop, href = min(end, within.end), within.href
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


def _piece(text: str, style: str, href: str) -> str:
    """A piece of a line as HTML, built by hand because a page has thousands."""
    piece = str(escape(text))
    if style:
        piece = f'<span class="{style}">{piece}</span>'
    return f'<a href="{escape(href)}">{piece}</a>' if href else piece
