"""The token in a piece of text that a range shows: the name that stands there, or the operator of a form."""

from __future__ import annotations

from itertools import islice

from ...syntax.lexemes import heads_in, lexemes, tokens_in
from ...syntax.names.literals import string_value
from ...syntax.tokens import CASES, Tokens

_MOST_LEXEMES = 60  # the name of a definition is among the first ones of its form


def name_in_form(text: str, name: str, tokens: Tokens) -> tuple[int, int]:
    """Where the text of a form has its defined name: start and length; those of its operator if it has none.

    ``name`` is the symbol's exact name, in whatever case the form is read. The operator comes first in a
    form, so it never counts as the name. A keyword counts if it comes next, else only if no other token has
    the name: a slot may have an initarg before an accessor of the same name.
    """
    keyword = None
    for number, lexeme in enumerate(islice(lexemes(text), 2, _MOST_LEXEMES)):
        if lexeme.kind in ("symbol", "uninterned"):
            read = (tokens.in_case(case).symbol(lexeme.text.removeprefix("#:")) for case in CASES)
            if any(token is not None and token.name == name for token in read):
                place = lexeme.start, len(lexeme.text)
                if number == 0 or not lexeme.text.startswith(":"):
                    return place
                keyword = keyword or place
        elif lexeme.kind == "string" and len(lexeme.text) > 1 and string_value(lexeme.text) == name:
            return lexeme.start, len(lexeme.text)
    return keyword or head(text)


def head(text: str) -> tuple[int, int]:
    """Where the operator of the first form in a text stands: start and length.

    Without any token it is the first character that is not blank: a backquote, say.
    """
    blanks = len(text) - len(text.lstrip())
    start, end = next(heads_in(text), None) or next(tokens_in(text), (blanks, min(blanks + 1, len(text))))
    return start, end - start


def head_named(line: str, expansion: str | None) -> tuple[int, int]:
    """Where a line has a form with the operator ``expansion``; without one, where its first form begins."""
    if expansion:
        bare = expansion.rpartition(":")[2].upper()
        for start, end in heads_in(line):
            if line[start:end].rpartition(":")[2].upper() == bare:
                return start, end - start
    return head(line)
