"""How two printed type specifiers stand to each other, as far as classes and OR can tell; pure.

Whether one type is part of another cannot be decided without a Lisp in general (CLHS SUBTYPEP
answers "not known" as well). What is not known here is said to be, and never held against anybody.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from ..syntax.lexemes import items


class Relation(Enum):
    """How the new type stands to the old one."""

    SAME = "same"
    NARROWER = "narrower"
    WIDER = "wider"
    UNRELATED = "unrelated"
    UNKNOWN = "unknown"


# The name of a class, as printed -> the names of all its superclasses, the class itself included.
Ancestors = Callable[[str], frozenset[str]]

_TOP = {"T", "*"}
# Between package and name: external or internal, which changes nothing in what is named.
_ONE_COLON = re.compile(r"(?<=[^\s()'\":|]):(?=[^\s()'\":|])")
# Type specifiers that are no classes, and the class that each is part of (CLHS 4.4).
_PART_OF = {
    "UNSIGNED-BYTE": "INTEGER",
    "SIGNED-BYTE": "INTEGER",
    "MOD": "INTEGER",
    "BIT": "FIXNUM",
    "BOOLEAN": "SYMBOL",
    "STANDARD-CHAR": "CHARACTER",
    "BASE-CHAR": "CHARACTER",
    "COMPILED-FUNCTION": "FUNCTION",
}


def relation(old: str | None, new: str | None, ancestors: Ancestors) -> Relation:
    """How the type ``new`` stands to ``old``; None is T."""
    before, after = (_alternatives(_ONE_COLON.sub("::", text or "T")) for text in (old, new))
    if before == after:
        return Relation.SAME
    down = [_part_of_any(one, before, ancestors) for one in after]
    up = [_part_of_any(one, after, ancestors) for one in before]
    if all(down):
        return Relation.SAME if all(up) else Relation.NARROWER
    if all(up):
        return Relation.WIDER
    related = any(down) or any(up) or None in down or None in up
    return Relation.UNKNOWN if related else Relation.UNRELATED


def _alternatives(text: str) -> list[str]:
    """The types that ``text`` is the union of."""
    if text in _TOP:
        return ["T"]
    if text == "NIL":
        return []
    if text == "LIST":
        return ["CONS", "NULL"]
    if text.startswith("(OR "):
        return sorted({inner for item in items(text)[1:] for inner in _alternatives(item)})
    return [text]


def _head(text: str) -> str:
    return (items(text) or [text])[0] if text.startswith("(") else text


def _part_of_any(one: str, others: list[str], ancestors: Ancestors) -> bool | None:
    """Whether ``one`` is part of one of the others; None when that cannot be told."""
    answers = [_part_of(one, other, ancestors) for other in others]
    if any(answers):
        return True
    return None if None in answers else False


def _part_of(one: str, other: str, ancestors: Ancestors) -> bool | None:
    if other in ("T", one):
        return True
    if one == "T":
        return False
    mine, its = _head(one), _head(other)
    if mine in ("SATISFIES", "AND", "NOT", "MEMBER", "EQL") or its in ("SATISFIES", "AND", "NOT"):
        return None
    above = ancestors(mine) | ancestors(_PART_OF.get(mine, mine)) | {mine}
    if not other.startswith("(") and its not in _PART_OF:
        # A name that is no class is a DEFTYPE's: nobody here knows what it stands for.
        return its in above or (None if not ancestors(its) or len(above) == 1 else False)
    broad = ancestors(its) | ancestors(_PART_OF.get(its, its)) | {its}
    return None if broad & above - {"T"} else False
