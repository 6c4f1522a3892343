"""The notation for a type query: ``(list, &key test) -> list``; pure.

    signature  = [parameters] ["->" results] | number
    parameters = "(" items ")" | items
    items      = item, item, ...  with &optional, &rest and &key before the items they are about
    item       = a type specifier, or _ (or one letter) for any; after &key a keyword's name, or (name type)
    results    = "_" or items

A number stands for as many arguments, whatever they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .lambda_list import KEY, OPTIONAL, REST

_MARK = re.compile(r"(?:^|\s)::(?=\s|$)")
_ARROW = re.compile(r"\s*->\s*")
_OPTIONAL, _REST, _KEY = (section.lower() for section in (OPTIONAL, REST, KEY))
_SECTIONS = (_OPTIONAL, _REST, _KEY)
_MOST_ARGUMENTS = 12
_LONGEST = 500
ANY = "_"


@dataclass(frozen=True, slots=True)
class AskedKeyword:
    """A keyword argument that is asked for, by its name as typed, and its type."""

    name: str
    type: str = ANY


@dataclass(frozen=True, slots=True)
class Signature:
    """What a type query asks for; each type as typed, ``_`` for any.

    ``results`` is None if the query says nothing about values.
    """

    arguments: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    rest: str | None = None
    keywords: tuple[AskedKeyword, ...] = ()
    results: tuple[str, ...] | None = None


class SignatureError(ValueError):
    """A type query that cannot be read; the message says why."""


def split_query(query: str) -> tuple[str, str] | None:
    """The words before ``::`` and the signature after it; None for a query without a signature."""
    mark = _MARK.search(query)
    return (query[: mark.start()].strip(), query[mark.end() :].strip()) if mark is not None else None


def parse_signature(text: str) -> Signature:
    """Parse what follows ``::``; raises SignatureError."""
    if not text.strip():
        raise SignatureError("There is nothing after ::.")
    if len(text) > _LONGEST:
        raise SignatureError(f"It is longer than {_LONGEST} characters.")
    before, *after = _ARROW.split(text.strip())
    if len(after) > 1:
        raise SignatureError("There is more than one arrow.")
    results = None
    if after:
        results = tuple(map(_type, _items(_without_parentheses(after[0]))))
        if not results:
            raise SignatureError("There is nothing after the arrow; write _ for any type.")
    if before.isdecimal() and before.isascii():
        return Signature(arguments=(ANY,) * _limited(int(before)), results=results)
    return _arguments(before, results)


def _arguments(text: str, results: tuple[str, ...] | None) -> Signature:
    found: dict[str, list[str]] = {"": [], **{section: [] for section in _SECTIONS}}
    section = ""
    for item in _items(_without_parentheses(text)):
        word, _, after = item.partition(" ")
        if word.startswith("&"):
            if word.lower() not in _SECTIONS:
                raise SignatureError(f"{word} is not one of {', '.join(_SECTIONS)}.")
            section, asked = word.lower(), after.strip()
        else:
            asked = item
        if asked or section == _REST:
            found[section].append(asked or ANY)
    _limited(sum(map(len, found.values())))
    if len(found[_REST]) > 1:
        raise SignatureError("&rest takes one type, that of each further argument.")
    return Signature(
        arguments=tuple(map(_type, found[""])),
        optional=tuple(map(_type, found[_OPTIONAL])),
        rest=next(map(_type, found[_REST]), None),
        keywords=tuple(map(_keyword, found[_KEY])),
        results=results,
    )


def _limited(arguments: int) -> int:
    if arguments > _MOST_ARGUMENTS:
        raise SignatureError(f"A type query can have at most {_MOST_ARGUMENTS} arguments.")
    return arguments


def _without_parentheses(text: str) -> str:
    """``a, b`` for ``(a, b)``; a type specifier such as ``(or null string)`` keeps its parentheses."""
    text = text.strip()
    if not (text.startswith("(") and text.endswith(")")):
        return text
    inner = text[1:-1].strip()
    is_list = _depth(inner) == 0 and (
        not inner or len(_items(inner)) > 1 or " " not in inner or inner[0] == "&"
    )
    return inner if is_list else text


def _items(text: str) -> list[str]:
    """The items of ``text`` between commas that are not in parentheses."""
    found, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            break
        if char == "," and depth == 0:
            found.append(text[start:place].strip())
            start = place + 1
    if depth:
        raise SignatureError("The parentheses do not match.")
    found.append(text[start:].strip())
    if found == [""]:
        return []
    if "" in found:
        raise SignatureError("A type is missing before or after a comma; write _ for any type.")
    return found


def _depth(text: str) -> int:
    """0 if the parentheses in ``text`` match, else a number below or above."""
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return depth
    return depth


def _type(text: str) -> str:
    if text[0] != "(" and len(text.split()) > 1:
        raise SignatureError(f"{text} is more than one type; separate types with commas.")
    return ANY if len(text) == 1 or text in ("?", "*") else text


def _keyword(text: str) -> AskedKeyword:
    """A keyword as asked for: ``test``, ``:test``, ``(test function)``."""
    name, _, kind = text.strip("()").partition(" ")
    name = name.removeprefix(":")
    if not name:
        raise SignatureError("A keyword needs a name, as in &key test.")
    return AskedKeyword(name, _type(kind.strip()) if kind.strip() else ANY)
