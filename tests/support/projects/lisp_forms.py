"""The toplevel forms of a Lisp text, and their elements: enough to edit files, without a Lisp."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_DELIMITERS = " \t\n\r\f()\"';`,"
_DEFINES = re.compile(r"\((?P<operator>def[^\s()]*|define-[^\s()]*)\s+", re.IGNORECASE)
_IN_PACKAGE = re.compile(r"\(in-package\s+(?P<name>[^\s()]+)\s*\)", re.IGNORECASE)
SYMBOL_CHARACTER = r"[^\s()\"';`,|]"


@dataclass(frozen=True)
class Form:
    """A toplevel form: its extent, and what it defines, if it looks like a definition.

    ``conditional`` is true after #+, #- and the like, which go with the form.
    """

    start: int
    end: int
    text: str
    conditional: bool
    package: str | None  # the form that says so, as text
    operator: str | None = None
    name: str | None = None


class UnbalancedError(ValueError):
    """The text ends inside an object."""


def skip_blank(text: str, place: int) -> int:
    """The place after white space and comments."""
    while place < len(text):
        if text[place].isspace():
            place += 1
        elif text[place] == ";":
            end = text.find("\n", place)
            place = len(text) if end < 0 else end
        elif text.startswith("#|", place):
            place = _skip_block(text, place)
        else:
            break
    return place


def _skip_block(text: str, place: int) -> int:
    depth = 0
    while place < len(text):
        if text.startswith("#|", place):
            depth, place = depth + 1, place + 2
        elif text.startswith("|#", place):
            depth, place = depth - 1, place + 2
            if not depth:
                return place
        else:
            place += 1
    raise UnbalancedError("a comment does not end")


def _skip_to(text: str, place: int, delimiter: str) -> int:
    """The place after the next ``delimiter`` that has no backslash before it."""
    while place < len(text):
        if text[place] == "\\":
            place += 1
        elif text[place] == delimiter:
            return place + 1
        place += 1
    raise UnbalancedError(f"no {delimiter}")


def object_end(text: str, place: int) -> int:
    """The end of the object that begins at ``place``: a list, a string, or a token with its prefixes."""
    while text[place : place + 1] and text[place] in "'`,@":
        place += 1
    char = text[place : place + 1]
    if char == "(":
        return _list_end(text, place)
    if char == '"':
        return _skip_to(text, place + 1, '"')
    if char == "#" and text[place + 1 : place + 2] == "\\":
        place += 3
    elif char == "#" and text[place + 1 : place + 2] in ("'", "(", "."):
        return object_end(text, place + (1 if text[place + 1] == "(" else 2))
    return max(_token_end(text, place), place + 1)


def _token_end(text: str, place: int) -> int:
    while place < len(text) and text[place] not in _DELIMITERS:
        if text[place] == "\\":
            place += 2
        elif text[place] == "|":
            place = _skip_to(text, place + 1, "|")
        else:
            place += 1
    return min(place, len(text))


def _list_end(text: str, place: int) -> int:
    place += 1
    while True:
        place = skip_blank(text, place)
        if place >= len(text):
            raise UnbalancedError("a list does not end")
        if text[place] == ")":
            return place + 1
        place = object_end(text, place)


def elements(text: str, place: int = 0) -> list[tuple[int, int]]:
    """The extents of the elements of the list that begins at ``place``."""
    found = []
    place += 1
    while True:
        place = skip_blank(text, place)
        if place >= len(text) or text[place] == ")":
            return found
        end = object_end(text, place)
        found.append((place, end))
        place = end


def toplevel_forms(text: str) -> Iterator[Form]:
    """The toplevel forms that are lists, in their order; UnbalancedError for a text that is broken."""
    place, conditional, package = 0, False, None
    while (place := skip_blank(text, place)) < len(text):
        end = object_end(text, place)
        if text[place] != "(":
            # A prefix and its argument: #+feature, or anything else that we leave alone.
            conditional = True
            if text[place : place + 2] in ("#+", "#-") and text[end : end + 1] == "(":
                end = object_end(text, end)
        else:
            yield _form(text, place, end, conditional, package)
            if match := _IN_PACKAGE.match(text, place):
                package = match["name"]
            conditional = False
        place = end
    return


def _form(text: str, start: int, end: int, conditional: bool, package: str | None) -> Form:
    match = _DEFINES.match(text, start)
    if match is None or match.end() >= end - 1:
        return Form(start, end, text[start:end], conditional, package)
    name = text[match.end() : object_end(text, match.end())]
    return Form(start, end, text[start:end], conditional, package, match["operator"].lower(), name)


def renamed(text: str, old: str, new: str) -> str:
    """``text`` with the symbol ``old`` renamed to ``new``, also after a package prefix."""
    pattern = rf"(?<![^\s()\"';`,|:#]){re.escape(old)}(?!{SYMBOL_CHARACTER})"
    return re.sub(pattern, lambda _: new, text, flags=re.IGNORECASE)
