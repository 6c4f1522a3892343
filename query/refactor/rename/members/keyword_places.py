"""Where a keyword stands in the arguments of a call, and where it may stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....syntax.nodes import Atom, Node, forms_in
from ....syntax.walk.nodes import COMMA, KEYWORD, LIST, QUOTE, UNDECIDED

_PAIR = 2


class KeywordPlaces(NamedTuple):
    """The keywords themselves, and arguments of which the text does not tell whether they are keywords."""

    keywords: list[Atom]
    doubtful: list[Node]


def keyword_places(text: str, arguments: Sequence[Node], positional: int, name: str) -> KeywordPlaces:
    """Find a keyword, by its name, among arguments after the positional ones; ``text`` is what they are in.

    Arguments that are spliced in, or that a template has in the place of a keyword, are doubtful; others that
    do not come in pairs are if the keyword is among them, for they may not be arguments at all.
    """
    rest = arguments[positional:]
    doubtful = [one for one in arguments if _may_be_several(text, one)]
    doubtful += [one for one in rest[::2] if one.kind == COMMA and one not in doubtful]
    if not doubtful and len(rest) % 2 == 0 and all(one.kind == KEYWORD for one in rest[::2]):
        return KeywordPlaces(_keywords(rest[::2], name), [])
    if doubtful and len(rest) >= _PAIR and all(one.kind == KEYWORD for one in rest[:-1:2]):
        # What is spliced in comes last, as a rule.
        return KeywordPlaces(_keywords(rest[::2], name), doubtful)
    return KeywordPlaces([], doubtful or [*_keywords(arguments, name)])


def spread_places(text: str, arguments: Sequence[Node], positional: int, name: str) -> KeywordPlaces:
    """The same for the arguments of APPLY after the function, the last of which is a list (CLHS APPLY)."""
    if not arguments:
        return KeywordPlaces([], [])
    *first, last = arguments
    if last.text.upper() == "NIL":
        return keyword_places(text, first, positional, name)
    if last.kind == QUOTE and last.items and last.items[0].kind == LIST:
        return keyword_places(text, [*first, *last.items[0].items], positional, name)
    if last.kind == LIST and last.items and last.items[0].word == "LIST":
        return keyword_places(text, [*first, *last.items[1:]], positional, name)
    if last.kind == LIST and last.items and last.items[0].word == "LIST*":
        return spread_places(text, [*first, *last.items[1:]], positional, name)
    found = keyword_places(text, first, positional, name)
    return KeywordPlaces(found.keywords, [*found.doubtful, last])


def keywords_in(node: Node, name: str) -> list[Atom]:
    """The keywords of a name anywhere in a form."""
    return [one for form in forms_in(node) for one in _keywords(form.items, name)]


def _keywords(nodes: Sequence[Node], name: str) -> list[Atom]:
    return [one for one in nodes if isinstance(one, Atom) and one.kind == KEYWORD and one.name == name]


def _may_be_several(text: str, node: Node) -> bool:
    """Whether something is put into a template that may be several arguments, or a feature decides on it."""
    return node.kind == UNDECIDED or (node.kind == COMMA and text[node.start + 1] in "@.")
