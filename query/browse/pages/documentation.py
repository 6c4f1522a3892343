"""Documentation strings as HTML: the text as it is, with its examples highlighted and its names linked."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup, escape

from ...syntax.lambda_list import LambdaList
from ...syntax.printed import printed_lambda_list
from ...syntax.prose import EXAMPLE, NAME, Mark, flowing, marks
from ..page_request import PageRequest
from .highlighting import highlighted
from .source_links import SourceLinks

_LONGEST = 100_000  # characters; longer texts are data


def documentation(
    request: PageRequest, text: str | None, package: str, arglist: str | None = None
) -> Markup | None:
    """A documentation string of a definition whose name is in ``package``.

    Parameters in its ``arglist`` are not linked: there, LIST is an argument.
    """
    if text is None or len(text) > _LONGEST:
        return None if text is None else escape(text)
    parameters = set(_parameters(printed_lambda_list(arglist))) if arglist else set()
    pieces = _pieces(SourceLinks(request), text, package, parameters)
    return Markup("".join(pieces))  # noqa: S704 - each piece is HTML


def _parameters(lambda_list: LambdaList) -> Iterator[str]:
    """Yield the names of all parameters, those of destructured ones as well."""
    for one in (*lambda_list.positional, *filter(None, (lambda_list.rest,))):
        if one.inner is not None:
            yield from _parameters(one.inner)
        yield one.name
    yield from (one.name for one in lambda_list.keywords or () if one.name is not None)


def _pieces(links: SourceLinks, text: str, package: str, parameters: set[str]) -> Iterator[str]:
    """Yield the text as HTML, piece by piece; a paragraph that may be broken elsewhere is an element."""
    # What stands at an offset: the end of one paragraph comes before the beginning of another.
    paragraphs = list(flowing(text))
    edges = {end: "</span>" for _, end in paragraphs}
    edges |= {start: '<span class="flowing">' for start, _ in paragraphs}
    found = [*marks(text), Mark(NAME, len(text), len(text))]
    end = 0
    for mark in found:
        for edge in sorted(one for one in edges if end <= one <= mark.start):
            yield escape(text[end:edge])
            yield edges.pop(edge)
            end = edge
        yield escape(text[end : mark.start])
        if mark.end > mark.start:
            yield _marked(links, mark, text[mark.start : mark.end], package, parameters)
        end = mark.end


def _marked(links: SourceLinks, mark: Mark, part: str, package: str, parameters: set[str]) -> str:
    if mark.kind == EXAMPLE:
        return _code(links, part, package, ' class="example"')
    href = None if part.upper() in parameters else links.of_name(part, package)
    if href is not None:
        return f'<a href="{escape(href)}"><code>{escape(part)}</code></a>'
    if mark.kind == NAME:
        return f"<code>{escape(part)}</code>" if part in parameters else escape(part)
    return _code(links, part, package)


def _code(links: SourceLinks, part: str, package: str, attributes: str = "") -> str:
    lines = "\n".join(highlighted(part, links.of_fragment(part, package)))
    return f"<code{attributes}>{lines}</code>"
