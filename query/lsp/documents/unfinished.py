"""The lists around a place in a text, as if the text ended there: what is being typed is seldom whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...syntax.buffer import Chunk
from ...syntax.lexemes import Lexeme, lexemes
from ...syntax.nodes import Atom, Form, Node
from ...syntax.reader import read
from ...syntax.walk.files import walk_toplevel
from ...syntax.walk.nodes import LIST
from ...syntax.walk.results import Walked
from .edited import Document, TextReader


class Level(NamedTuple):
    """A list around the place, and the number of the item there, from 0; it may be one to come."""

    form: Form
    item: int


class Unfinished(NamedTuple):
    """A toplevel form up to a place; offsets in it count from the start of the form."""

    chunk: Chunk
    text: str
    """The text, with an end added to what has none."""
    levels: Sequence[Level]
    """The lists around the place, the innermost first."""
    walked: Walked


def unfinished_at(document: Document, reader: TextReader, offset: int) -> Unfinished | None:
    """The toplevel form around an offset, up to that offset; None outside of forms."""
    chunk = document.chunk_at(reader, offset)
    if chunk is None or offset <= chunk.start:
        return None
    before = document.text[chunk.start : offset]
    text = closed(before)
    toplevel = next(iter(read(text, reader.features)), None)
    if toplevel is None or toplevel.node.start != 0:
        return None
    package, tokens = document.package_of(reader, chunk), document.tokens_of(reader, chunk)
    walked = walk_toplevel(toplevel, text, package, reader.meanings, tokens)
    return Unfinished(chunk, text, _levels(toplevel.node, len(before)), walked)


def closed(text: str) -> str:
    """Return a text that ends inside forms, with closing parentheses for these."""
    depth, last = 0, Lexeme("", "", 0)
    for last in lexemes(text):
        depth = max(0, depth + (last.kind == "open") - (last.kind == "close"))
    begun = '"' if last.kind == "stray" and last.text.startswith('"') else ""
    # A line comment would hide what is added to it.
    return f"{text}{begun}\n{')' * depth}" if ";" in text[last.start :] else f"{text}{begun}{')' * depth}"


def _levels(node: Node, at: int) -> list[Level]:
    """The lists around an offset in a form that was closed there."""
    found: list[Level] = []
    while isinstance(node, Form) and node.end > at:
        last = node.items[-1] if node.items else None
        is_there = last is not None and (last.end > at or (last.end == at and _may_go_on(last)))
        if node.kind == LIST:
            found.append(Level(node, len(node.items) - is_there))
        if last is None or not is_there:
            break
        node = last
    return found[::-1]


def _may_go_on(node: Node) -> bool:
    """Whether more may be typed at the end of what ends there: an atom, or a prefix before one."""
    while isinstance(node, Form) and not node.kind.endswith("("):
        if not node.items:
            return True
        node = node.items[-1]
    return isinstance(node, Atom)
