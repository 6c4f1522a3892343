"""The names that a text looks up at run time, or that a program starts with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...syntax.lexemes import Lexeme, lexemes

# Which argument of a function is the name that it looks up: the first in the case of INTERN.
_NAMES = {"SYMBOL-CALL": 2, "INTERN": 1, "INTERN*": 1, "FIND-SYMBOL": 1, "FIND-SYMBOL*": 1}
_STARTING = ":entry-point"


@dataclass
class _List:
    """A list that has begun: its operator, how many parts of it were read, and the last of them."""

    operator: str = ""
    parts: int = 0
    last: str = ""


def looked_up(text: str, upcase: Callable[[str], str], *, is_system: bool = False) -> Iterator[str]:
    """Yield the names of symbols that a text looks up: ``(symbol-call :shop '#:main)``, ``(intern "MAIN")``.

    In the definition of a system (``is_system``), so is what a program starts with: ``:entry-point
    "shop:main"``. ``upcase`` gives a token the case that the reader gives it.
    """
    lists = [_List()]
    for one in lexemes(text):
        around = lists[-1]
        if one.kind in ("open", "close"):
            if one.kind == "open":
                around.parts += 1
                around.last = ""
                lists.append(_List())
            elif len(lists) > 1:
                lists.pop()
        elif one.kind in ("symbol", "uninterned", "string"):
            name = _name(one, upcase, read=around.last == _STARTING or ":" in one.text)
            if around.parts == 0:
                around.operator = name
            elif around.parts == _NAMES.get(around.operator) or (is_system and _starts(one, around)):
                yield name
            around.parts += 1
            around.last = one.text.lower()


def _starts(one: Lexeme, around: _List) -> bool:
    """Whether a lexeme in the definition of a system names what a program starts with."""
    return around.last == _STARTING or (one.kind == "string" and ":" in one.text)


def _name(one: Lexeme, upcase: Callable[[str], str], *, read: bool) -> str:
    """The name that a symbol or string stands for; ``read`` is whether a string is read as a symbol."""
    text = one.text.strip('"') if one.kind == "string" else one.text
    if one.kind == "string" and not read:
        return text
    return upcase(text.rpartition(":")[2])
