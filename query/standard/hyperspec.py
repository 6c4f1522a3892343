"""The pages of the HyperSpec: what each is about, as hyperspec.txt has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("hyperspec.txt")
_WIDTH = 2  # the digits of a chapter


@dataclass(frozen=True, slots=True)
class Pages:
    """The names of pages, by what they are about: without their folder and ending, but with anchors.

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
def pages() -> Pages:
    """Return all pages; the file is read once."""
    parts = dict(_parts())
    found = Pages({}, {}, {}, {}, {}, {})
    for page, names in _about(parts["symbols"]):
        found.symbols.update(dict.fromkeys(names.split(), page))
    for page, character in _about(parts["reader"]):
        found.reader[character.upper()] = page
    for page, directive in _about(parts["directives"]):
        found.directives.setdefault(directive.upper(), []).append(page)
    for word in " ".join(parts["sections"]).split():
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


def _parts() -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of the file, each below its name in brackets."""
    for part in _FILE.read_text(encoding="utf-8").split("\n[")[1:]:
        name, *lines = part.splitlines()
        yield name.removesuffix("]"), [line for line in lines if line]


def _about(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each page with what it is about."""
    for line in lines:
        page, _, names = line.partition(": ")
        yield page, names


def _page_of_section(number: str) -> str:
    chapter, *further = number.split(".")
    letters = "".join(chr(ord("a") + int(one) - 1) for one in further)
    return f"{chapter.zfill(_WIDTH)}_{letters}"
