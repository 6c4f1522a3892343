"""The objects of a Lisp text and what is nested in them, for edits of it."""

from __future__ import annotations

from dataclasses import dataclass

from oblist.query.syntax.lexemes import lexemes


class UnbalancedError(ValueError):
    """The parentheses of a text are not balanced."""


@dataclass
class Object:
    """An object in a text; prefixes are no part of it."""

    start: int
    end: int
    marked: bool
    """Whether a prefix or a feature expression is before it, or it is one."""
    parts: list[Object] | None = None
    """The objects in a list."""


def objects(text: str) -> list[Object]:
    """The toplevel objects. Raises UnbalancedError."""
    root = Object(0, len(text), False, [])
    open_, marks = [root], [0]
    for lexeme in lexemes(text):
        parts = open_[-1].parts
        assert parts is not None
        if lexeme.kind == "close":
            if len(open_) == 1:
                raise UnbalancedError
            open_.pop().end = lexeme.start + 1
            marks.pop()
        elif lexeme.kind == "quote":
            marks[-1] = max(marks[-1], 1)
        elif lexeme.kind == "feature":
            marks[-1] = 2
        else:
            one = Object(lexeme.start, lexeme.start + len(lexeme.text), marks[-1] > 0)
            marks[-1] = max(0, marks[-1] - 1)
            parts.append(one)
            if lexeme.kind == "open":
                one.parts = []
                one.marked = one.marked or lexeme.text != "("
                open_.append(one)
                marks.append(0)
    if len(open_) > 1:
        raise UnbalancedError
    assert root.parts is not None
    return root.parts
