"""From a term, as people type it, to its places in the HyperSpec and in SBCL's manual."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from oblist.indexer.names import InvalidNameError, split_name

from ..index.not_found import NotFound
from ..index.shown import shown_name
from .answer import StandardAnswer, StandardLink
from .hyperspec import pages, symbol_pages
from .manual import listed_anchors
from .places import hyperspec_link, manual_link, why_public

_MOST_SUGGESTIONS = 5
_SECTION = re.compile(r"(?:section\s+|§\s*)?(\d+(?:\.\d+)*|A(?:\.\d+)*)", re.IGNORECASE)
# A directive of FORMAT, perhaps after the word: the tilde, its parameters and modifiers, and the character.
_DIRECTIVE = re.compile(
    r"(?:format\s*)?~((?:(?:[+-]?\d+|'.|[vV#])?,?)*[:@]*)(newline|.|\n)?.*", re.IGNORECASE | re.DOTALL
)
_READER = re.compile(r"#\d*(.)")
_PACKAGES = {"CL", "COMMON-LISP"}


class _Places:
    """The copies to link to."""

    def __init__(self, hyperspec: str | None, manual: str | None) -> None:
        self._hyperspec = hyperspec
        self._manual = manual

    def hyperspec(self, kind: str, name: str, page: str) -> StandardLink:
        return StandardLink(kind, name, hyperspec_link(page, self._hyperspec))

    def manual(self, name: str, package: str) -> StandardLink | None:
        link = manual_link(name, package, self._manual)
        return None if link is None else StandardLink("manual", f"{package}:{name}".upper(), link)


def find_term(
    term: str, *, hyperspec: str | None = None, manual: str | None = None
) -> StandardAnswer | NotFound:
    """Return the links for a symbol, a directive, a character of the reader, a section or a glossary term.

    ``hyperspec`` and ``manual`` are copies, as for hyperspec_root and manual_link. A term without a link is
    answered with the nearest terms.
    """
    text = term.strip(" \t")
    places = _Places(hyperspec, manual)
    links = list(dict.fromkeys(_links(text, places)))
    if links:
        return StandardAnswer(term, links, why_public(hyperspec))
    return NotFound(
        "term-not-found",
        f"{shown_name(term)} is not in the HyperSpec",
        "Terms are symbols of COMMON-LISP, format directives, reader macros, sections and glossary words.",
        _near(text),
    )


def _links(text: str, places: _Places) -> Iterator[StandardLink]:
    known = pages()
    if (match := _SECTION.fullmatch(text)) and (page := known.sections.get(match[1].upper())):
        yield places.hyperspec("section", match[1].upper(), page)
    yield from _symbol(text, places)
    if "~" in text:
        yield from _directive(text, places)
    yield from _reader(text, places)
    term = " ".join(text.lower().split())
    if page := known.glossary.get(term):
        yield places.hyperspec("glossary", known.terms[term], page)


def _symbol(text: str, places: _Places) -> Iterator[StandardLink]:
    """Yield the links of a name, of the standard or of SBCL's own packages."""
    try:
        typed = split_name(text, str.upper)
    except InvalidNameError:
        return
    name = typed.symbol.upcased
    package = typed.package.upcased if typed.package else None
    page = symbol_pages().get(name.lower())
    if page is not None and (package is None or package in _PACKAGES):
        yield places.hyperspec("symbol", name, page)
        return
    packages = [package] if package else [one for one, other in listed_anchors() if other == name.lower()]
    for one in packages:
        if (link := places.manual(name, one)) is not None:
            yield link


def _directive(text: str, places: _Places) -> Iterator[StandardLink]:
    match = _DIRECTIVE.fullmatch(text)
    if match is None:
        return
    character = (match[2] or "").upper()
    character = "NEWLINE" if character == "\n" else character
    for page in pages().directives.get(character, []):
        yield places.hyperspec(
            "directive", f"~{character.lower() if len(character) > 1 else character}", page
        )


def _reader(text: str, places: _Places) -> Iterator[StandardLink]:
    """Yield the link of the character, or of the two, that the reader would dispatch on."""
    known = pages().reader
    match = _READER.match(text)
    typed = f"#{match[1]}".upper() if match else text
    alone = match is None or len(text) == match.end() or not match[1].isalpha()
    if alone and (page := known.get(typed)):
        yield places.hyperspec("reader", typed, page)


def _near(text: str) -> list[str]:
    """The terms nearest to one that is not there: sections for a section, else symbols and terms."""
    known = pages()
    if match := _SECTION.fullmatch(text):
        parts = match[1].upper().split(".")
        above = [".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)]
        parents = [one for one in above if one in known.sections]
        if not parents:
            return get_close_matches(match[1], known.sections, n=_MOST_SUGGESTIONS)
        within = [one for one in known.sections if one.rpartition(".")[0] == parents[0]]
        return [*parents[:1], *within[-_MOST_SUGGESTIONS + 1 :]]
    package, colon, name = text.lower().rpartition(":")
    package = package.removesuffix(":")
    own = {name: f"{package}:{name}" for package, name in listed_anchors()}
    candidates = [*known.symbols, *known.terms, *own]
    if colon and package.upper() not in _PACKAGES:  # another's symbol, or one of SBCL's
        candidates = [other for of, other in listed_anchors() if of == package]
    found = dict.fromkeys(get_close_matches(name, candidates, n=_MOST_SUGGESTIONS))
    return [known.terms.get(one) or (one if one in known.symbols else own[one]) for one in found]
