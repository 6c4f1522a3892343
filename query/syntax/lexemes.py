"""Split Lisp text into lexemes, without a Lisp; pure.

The rules are the standard readtable's (CLHS 2.2 to 2.4). Nothing is read, interned or evaluated: a lexeme is
a piece of the text and its kind. Every other module that takes Lisp text apart uses the pattern that is
defined here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .tokens import is_number

# Possessive quantifiers and atomic groups: there is only one way to read a text, so never backtrack. What
# may fail when it has begun is repeated in an atomic group: in early releases of Python 3.11, such as
# Debian 12's, a possessive quantifier then forgets where it had begun (gh-100061, gh-106052).
_SKIP = r"(?:[ \t\n\r\f\x7f]++|;[^\n]*+)*+"
_IN_PIPES = r"\|(?:[^|\\]++|\\.)*+\|"
_STRING = r'"(?:[^"\\]++|\\.)*+"'
# The same without the beginning of a line that begins with a parenthesis.
_NEAR_PIPES = r"\|(?>(?:[^|\\\n]++|\n(?!\()|\\.)*)\|"
_NEAR_STRING = r'"(?>(?:[^"\\\n]++|\n(?!\()|\\.)*)"'
# Most symbols: no special characters inside, and an unambiguous end.
_PLAIN = r"""[^ \t\n\r\f\x7f()"'`,;\\|:\[\]{}\#]++(?![^ \t\n\r\f\x7f()"'`,;])"""


def _part(pipes: str) -> str:
    """Return the pattern of a part of a token, of which ``pipes`` is the one in pipes."""
    return rf"""(?:[^ \t\n\r\f\x7f()"'`,;\\|]++|\\.|{pipes})"""


def _other(part: str) -> str:
    """Return the pattern of tokens that begin with # and are objects: #\\a, #:a, #xFF, #*101, #1#."""
    return rf"""\#\\.(?>{part}*)|\#:(?>{part}*)|\#\d*[bBoOxXrR](?>{part}+)|\#\d*\*[01]*+|\#\d+\#"""


def _lexeme(part: str, string: str) -> re.Pattern[str]:
    return re.compile(
        rf"""{_SKIP}(?:
          (\()
        | (\))
        | ({_PLAIN})
        | ((?!\#)(?>{part}+))
        | ({string})
        | (['`]|,[@.]?|\#'|\#\.|\#\d*[aAsScCpP](?=[\s("\#]))
        | (\#[+-])
        | (\#\|)
        | ({_other(part)})
        | (\#\d*\()
        | (\#\d+=)
        | (\Z)
        | (\#\d*(?:[^\s()<|;"/](?=["(])|(?=")))
        | (\#\d*(?:/(?:{part}|.)|[^\s()<|;"])(?>{part}*))
        | (.)
        )""",
        re.DOTALL | re.VERBOSE,
    )


_PART = _part(_IN_PIPES)
LEXEME = _lexeme(_PART, _STRING)
"""White space and comments, then one lexeme; the number of its group is one of the constants below."""
OPEN, CLOSE, SIMPLE, SYMBOL, STRING, PREFIX, CONDITIONAL = range(1, 8)
BLOCK, OTHER, VECTOR, LABEL, END, FOREIGN, RUNE, STRAY = range(8, 16)
WARY_LEXEME = _lexeme(_part(_NEAR_PIPES), rf"""{_NEAR_STRING}|{_STRING}(?![^\s()"'`,;])""")
"""The same, but pipes and quotes that seem to be swapped are strays.

Those are pipes around a line that begins with a parenthesis, and such quotes if a token follows directly.
"""

_LINE_COMMENT = re.compile(r";[^\n]*+")
_BLOCK_EDGE = re.compile(r"\#\||\|\#")
_TOKEN = re.compile(rf"(?>{_PART}+)", re.DOTALL)
_HEAD = re.compile(rf"\(\s*+((?>{_PART}+))", re.DOTALL)
_SHARP = re.compile(_other(_PART), re.DOTALL)
_KINDS = {
    OPEN: "open",
    VECTOR: "open",
    CLOSE: "close",
    SIMPLE: "symbol",
    SYMBOL: "symbol",
    STRING: "string",
    PREFIX: "quote",
    LABEL: "quote",
    FOREIGN: "quote",
    CONDITIONAL: "feature",
    OTHER: "number",
    RUNE: "stray",
    STRAY: "stray",
}
_SHARP_KINDS = {"\\": "character", ":": "uninterned"}


class Lexeme(NamedTuple):
    """A piece of text.

    ``kind`` is symbol, string, character, uninterned, number, open, close, quote (any prefix of an object),
    feature (``#+`` or ``#-``), or stray: something that the standard readtable does not define, or that never
    ends.
    """

    kind: str
    text: str
    start: int


def lexemes(text: str) -> Iterator[Lexeme]:
    """Yield the lexemes of ``text`` in order, without white space and comments."""
    position: int | None = 0
    while position is not None and (match := LEXEME.match(text, position)) is not None:
        group = match.lastindex or STRAY
        piece, start, position = match[group], match.start(group), match.end()
        if group == END:
            return
        if group == BLOCK:
            position = block_end(text, start)
            continue
        kind = _KINDS[group]
        if group == OTHER:
            kind = _SHARP_KINDS.get(piece[1], kind)
        elif kind == "symbol" and is_number(piece):
            kind = "number"
        elif group == STRAY and piece == '"':
            piece, position = text[start:], None
        yield Lexeme(kind, piece, start)


def read_lexemes(text: str) -> Iterator[Lexeme]:
    """Yield the same, but for what is in feature expressions, which are read in the package KEYWORD."""
    depth, in_feature = 0, False
    for one in lexemes(text):
        if one.kind == "feature":
            depth, in_feature = 0, True
        elif in_feature:
            depth += (one.kind == "open") - (one.kind == "close")
            in_feature = depth > 0 or one.kind == "quote"
        else:
            yield one


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each comment in ``text`` begins, and the comment; those inside others are parts of them."""
    position: int | None = 0
    while position is not None and (match := LEXEME.match(text, position)) is not None:
        start = match.start(match.lastindex or STRAY)
        for line in _LINE_COMMENT.finditer(text, position, start):
            yield line.start(), line[0]
        position = match.end()
        if match.lastindex == END:
            return
        if match.lastindex == BLOCK:
            position = block_end(text, start)
            yield start, text[start:position]


def block_end(text: str, start: int) -> int | None:
    """Return where the block comment at ``start`` ends, None if it never does; they nest (CLHS 2.4.8.19)."""
    position, depth = start + len("#|"), 1
    while depth:
        edge = _BLOCK_EDGE.search(text, position)
        if edge is None:
            return None
        depth += 1 if edge[0] == "#|" else -1
        position = edge.end()
    return position


def tokens_in(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the extents of all tokens in ``text`` from ``start`` on, in strings and comments as well."""
    for match in _TOKEN.finditer(text, start):
        yield match.span()


def heads_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the extents of the tokens that follow parentheses: the operators of forms, and what looks so."""
    for match in _HEAD.finditer(text):
        yield match.span(1)


def is_standard(atom: str) -> bool:
    """Return whether an atom has standard syntax: it does not begin with a custom dispatch character."""
    return atom[0] != "#" or _SHARP.match(atom) is not None


def symbols(text: str) -> list[str]:
    """Return the symbols in ``text``, as written there, each once.

    The symbols of feature expressions (``#+sbcl``) are left out: they are not part of what is read.
    """
    return [*dict.fromkeys(one.text for one in read_lexemes(text) if one.kind == "symbol")]
