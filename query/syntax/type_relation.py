"""The relation between two printed type specifiers, as far as classes and OR can tell; pure.

In general, a subtype relation cannot be decided without a Lisp, and not always with one (CLHS SUBTYPEP). A
relation that cannot be decided here is UNKNOWN, and never counts as breaking.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import lru_cache

from .printed import double_colon, items, with_symbols


class TypeRelation(Enum):
    """The relation of the new type to the old one."""

    SAME = "same"
    NARROWER = "narrower"
    WIDER = "wider"
    UNRELATED = "unrelated"
    UNKNOWN = "unknown"


# The printed name of a class -> the names of the class and all its superclasses.
Ancestors = Callable[[str], frozenset[str]]

_TOP = {"T", "*"}
# The designators in signatures, and what SBCL has for them (lisp/dump/signatures.lisp).
DESIGNATORS = {
    "FUNCTION-DESIGNATOR": ["FUNCTION", "SYMBOL"],
    "STRING-DESIGNATOR": ["STRING", "SYMBOL", "CHARACTER"],
    "PACKAGE-DESIGNATOR": ["STRING", "SYMBOL", "CHARACTER", "PACKAGE"],
    "PATHNAME-DESIGNATOR": ["STRING", "PATHNAME", "SYNONYM-STREAM", "FILE-STREAM"],
    "STREAM-DESIGNATOR": ["STREAM", "BOOLEAN"],
}
# Type specifiers that are not classes, and the class that each is a subtype of (CLHS 4.4).
PART_OF = {
    "UNSIGNED-BYTE": "INTEGER",
    "SIGNED-BYTE": "INTEGER",
    "MOD": "INTEGER",
    "BIT": "FIXNUM",
    "BOOLEAN": "SYMBOL",
    "STANDARD-CHAR": "CHARACTER",
    "BASE-CHAR": "CHARACTER",
    "KEYWORD": "SYMBOL",
    "COMPILED-FUNCTION": "FUNCTION",
}


def relation(old: str | None, new: str | None, ancestors: Ancestors) -> TypeRelation:
    """The relation of the type ``new`` to ``old``; None is T."""
    before, after = _members(old), _members(new)
    if before == after:
        return TypeRelation.SAME
    down = [_part_of_any(one, before, ancestors) for one in after]
    up = [_part_of_any(one, after, ancestors) for one in before]
    if all(down):
        return TypeRelation.SAME if all(up) else TypeRelation.NARROWER
    if all(up):
        return TypeRelation.WIDER
    related = any(down) or any(up) or None in down or None in up
    return TypeRelation.UNKNOWN if related else TypeRelation.UNRELATED


def alternatives(text: str) -> list[str]:
    """The members of the union that the printed type specifier ``text`` denotes."""
    if text in _TOP:
        return ["T"]
    if text == "NIL":
        return []
    if text == "LIST":
        return ["CONS", "NULL"]
    if text in DESIGNATORS:
        return DESIGNATORS[text]
    if text.startswith("(OR "):
        return sorted({inner for item in items(text)[1:] for inner in alternatives(item)})
    return [text]


@lru_cache(maxsize=20_000)
def _members(text: str | None) -> list[str]:
    """The members of a union, with two colons after every package; None is T."""
    return alternatives(with_symbols(text or "T", double_colon))


def _head(text: str) -> str:
    return (items(text) or [text])[0] if text.startswith("(") else text


def _part_of_any(one: str, others: list[str], ancestors: Ancestors) -> bool | None:
    """Whether ``one`` is a subtype of one of the others; None if undecided."""
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
    if _have_other_dimensions(one, other):
        return False
    above = ancestors(mine) | ancestors(PART_OF.get(mine, mine)) | {mine}
    if not other.startswith("(") and its not in PART_OF:
        # A name that is not a class comes from a DEFTYPE, whose expansion is unknown here.
        return its in above or (None if not ancestors(its) or len(above) == 1 else False)
    broad = ancestors(its) | ancestors(PART_OF.get(its, its)) | {its}
    return None if broad & above - {"T"} else False


def _have_other_dimensions(one: str, other: str) -> bool:
    """Whether two array types have other ranks, or other sizes in a dimension (CLHS ARRAY)."""
    mine, its = _dimensions(one), _dimensions(other)
    if mine is None or its is None:
        return False
    pairs = zip(mine, its, strict=False)
    return len(mine) != len(its) or any("*" not in pair and pair[0] != pair[1] for pair in pairs)


def _dimensions(text: str) -> list[str] | None:
    """The dimensions of an array type, each a number or ``*``; None where they are not given."""
    parts = items(text) if text.startswith(("(ARRAY ", "(SIMPLE-ARRAY ")) else []
    if len(parts) < 3 or parts[2] == "*":
        return None
    return ["*"] * int(parts[2]) if parts[2].isdigit() else items(parts[2])
