"""Edits of lists: take the form beside a list into it, put a form of it outside, or wrap a form in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...syntax.indent.tree import Piece, lists_around, sexps
from ..changes import Edit

_DOT = "."
_CONDITIONALS = ("#+", "#-")
_CHANGING = frozenset(
    (
        *("SETF", "PSETF", "SETQ", "INCF", "DECF", "PUSH", "PUSHNEW", "POP", "REMF"),
        *("ROTATEF", "SHIFTF", "MULTIPLE-VALUE-SETQ"),
    )
)
_FEWEST = 2  # of the items of a list that lets one go


class _Inner(NamedTuple):
    """The innermost list around a place, what is in the list around it, and which of these it is."""

    list: Piece
    siblings: Sequence[Piece]
    number: int


def slurp_forward(text: str, at: int) -> list[Edit]:
    """Take the form that follows the list around an offset into that list; no edits if there is none."""
    inner = _inner(text, at)
    if inner is None or inner.number + 1 >= len(inner.siblings) or _is_strange(inner, after=1):
        return []
    one, end = inner.list, inner.siblings[inner.number + 1].end
    between = " " if one.items and not text[one.end].isspace() else ""
    return [Edit(one.end - 1, one.end, between), Edit(end, end, ")")]


def slurp_backward(text: str, at: int) -> list[Edit]:
    """Take the form that precedes the list around an offset into that list; no edits if there is none."""
    inner = _inner(text, at)
    if inner is None or not inner.number or inner.list.prefix or _is_strange(inner, before=3):
        return []
    one, before = inner.list, inner.siblings[inner.number - 1]
    between = " " if before.end == one.start and one.items else ""
    return [Edit(before.start, before.start, "("), Edit(one.start, one.open + 1, between)]


def barf_forward(text: str, at: int) -> list[Edit]:
    """Put the last form of the list around an offset behind it; no edits if that would leave nothing."""
    inner = _inner(text, at)
    if inner is None or len(inner.list.items) < _FEWEST or _is_strange(inner):
        return []
    one, end = inner.list, inner.list.items[-2].end
    following = "" if text[one.end].isspace() or text[one.end] in "()" else " "
    return [Edit(end, end, ")"), Edit(one.end - 1, one.end, following)]


def barf_backward(text: str, at: int) -> list[Edit]:
    """Put the first form of the list around an offset before it; no edits if that would leave nothing."""
    inner = _inner(text, at)
    if inner is None or len(inner.list.items) < _FEWEST or inner.list.prefix or _is_strange(inner):
        return []
    one, start = inner.list, inner.list.items[1].start
    between = "" if text[start - 1].isspace() else " "
    return [Edit(one.start, one.open + 1, ""), Edit(start, start, f"{between}(")]


def wrapped(text: str, start: int, end: int, before: str) -> list[Edit]:
    """Put a list that begins with ``before`` around the forms in an extent, or around the form at a place.

    No edits if the extent cuts a form, or if what is in it is a place that is changed (CLHS 5.1.2).
    """
    chosen, outer = _chosen(sexps(text), start, end)
    is_place = bool(outer.items) and outer.items[0].text.rpartition(":")[2].upper() in _CHANGING
    if not chosen or is_place or _are_strange(chosen) or any(text[one.start] == "," for one in chosen):
        return []
    first, last = chosen[0].start, chosen[-1].end
    return [Edit(first, first, f"({before} "), Edit(last, last, ")")]


def _chosen(piece: Piece, start: int, end: int) -> tuple[list[Piece], Piece]:
    """The forms that an extent holds, and the innermost list that has all of them."""
    for one in piece.items:
        if one.is_list and one.open < start and end < one.end:
            return _chosen(one, start, end)
    if start == end:
        return [one for one in piece.items if one.start <= start <= one.end][:1], piece
    inside = [one for one in piece.items if one.start < end and one.end > start]
    return (inside if all(start <= one.start and one.end <= end for one in inside) else []), piece


def _inner(text: str, at: int) -> _Inner | None:
    """The list around an offset that is not the outermost one, and ends."""
    around = lists_around(sexps(text), at)
    if len(around) < 2 or around[0].end > len(text):
        return None
    one, siblings = around[0], around[1].items
    return _Inner(one, siblings, next(number for number, each in enumerate(siblings) if each is one))


def _is_strange(inner: _Inner, before: int = 2, after: int = 0) -> bool:
    """Whether a list, its first or last items, or what is near it, mean something together with others."""
    near = inner.siblings[max(0, inner.number - before) : inner.number + 1 + after]
    items = inner.list.items
    return _are_strange([*near, *items[:3], *items[-3:]])


def _are_strange(pieces: Sequence[Piece]) -> bool:
    return any(one.text == _DOT or one.text.startswith(_CONDITIONALS) for one in pieces)
