"""The pages of the HyperSpec: what each is about, as hyperspec.txt has it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_name("hyperspec.txt")
_WIDTH = 2  # the digits of a chapter


class Pages(NamedTuple):
    """The names of pages, by subject: without folder and extension, but with anchors.

    Symbols and terms are in lower case, characters of the reader such as ``#'`` and directives of FORMAT in
    upper case; a directive may have two pages. ``terms`` has the terms of the glossary as they are written.
    """

    symbols: dict[str, str]
    reader: dict[str, str]
    directives: dict[str, list[str]]
    sections: dict[str, str]
    glossary: dict[str, str]
    terms: dict[str, str]


@cache
def symbol_pages() -> dict[str, str]:
    """Return the pages of symbols alone, which is all that a description needs."""
    about = _about(_parts()["symbols"])
    return {name: page for page, names in about for name in names.split()}


@cache
def pages() -> Pages:
    """Return all pages; the file is read once."""
    parts = _parts()
    found = Pages(symbol_pages(), {}, {}, {}, {}, {})
    for page, character in _about(parts["reader"]):
        found.reader[character.upper()] = page
    for page, directive in _about(parts["directives"]):
        found.directives.setdefault(directive.upper(), []).append(page)
    for word in parts["sections"].split():
        number, _, page = word.partition("=")
        found.sections[number] = page or _page_of_section(number)
    for page, terms in _about(parts["glossary"]):
        for text in terms.split(" | "):
            term, _, anchor = text.partition("=")
            found.glossary[term.lower()] = f"{page}#{anchor or term.replace(' ', '_')}"
            found.terms[term.lower()] = term
    return found


def page_address(page: str) -> str:
    """Return the address of a page within the HyperSpec."""
    name, hash_, anchor = page.partition("#")
    return f"Body/{name}.htm{hash_}{anchor}"


@cache
def _parts() -> dict[str, str]:
    """Return the parts of the file, each of which is below its name in brackets."""
    parts = (part.partition("]\n") for part in _FILE.read_text(encoding="utf-8").split("\n[")[1:])
    return {name: lines for name, _, lines in parts}


def _about(part: str) -> Iterator[tuple[str, str]]:
    """Yield each page of a part with what it is about."""
    for line in filter(None, part.split("\n")):
        page, _, names = line.partition(": ")
        yield page, names


def _page_of_section(number: str) -> str:
    chapter, *further = number.split(".")
    letters = "".join(chr(ord("a") + int(one) - 1) for one in further)
    return f"{chapter.zfill(_WIDTH)}_{letters}"
