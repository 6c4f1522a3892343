"""Compares the types of two functions: their arguments and their results.

SBCL reports the declared type of a function or the one it derived; an index does not say which. So argument
types are taken at face value, while a result whose type is only less precise breaks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from ...syntax.printed import argument_types, items
from ...syntax.type_relation import Ancestors, TypeRelation, relation
from ..findings import MAJOR, MINOR, PATCH, Finding


class _FunctionType(NamedTuple):
    """The parts of a FUNCTION type specifier (CLHS FUNCTION, system class)."""

    positional: list[str]
    keys: dict[str, str]
    result: str


def compare_function_types(
    facet: str, old: str | None, new: str | None, ancestors: Ancestors
) -> Iterator[Finding]:
    """The changes from the printed type ``old`` to ``new``; arguments that only one has are left out."""
    before, after = _parse(old), _parse(new)
    if before is None or after is None or before == after:
        return
    for place, (was, now) in enumerate(zip(before.positional, after.positional, strict=False), start=1):
        yield from _argument(facet, (f"argument {place}", str(place)), was, now, ancestors)
    for key, was in before.keys.items():
        if key in after.keys:
            yield from _argument(facet, (f"its keyword {key}", key), was, after.keys[key], ancestors)
    if before.result != after.result:
        yield from _result(facet, before.result, after.result, ancestors)


def _parse(text: str | None) -> _FunctionType | None:
    parts = items(text) if text and text.startswith("(FUNCTION") else []
    if len(parts) != 3:
        return None
    arguments = argument_types(parts[1])
    return _FunctionType([*arguments.required, *arguments.optional], arguments.keywords, parts[2])


def _argument(
    facet: str, named: tuple[str, str], was: str, now: str, ancestors: Ancestors
) -> Iterator[Finding]:
    """The change of one argument; ``named`` is what messages call it, and its position or keyword."""
    found, (what, part) = relation(was, now, ancestors), named
    if found is TypeRelation.SAME:
        return
    if found is TypeRelation.WIDER:
        step, message = MINOR, f"{what} may now be {now}, not only {was}"
    elif found is TypeRelation.UNKNOWN:
        step, message = PATCH, f"the type of {what} is now {now}, formerly {was}"
    else:
        step, message = MAJOR, f"{what} must now be {now}, formerly {was}"
    yield Finding("argument-type", step, facet, message, part, was, now)


def _result(facet: str, was: str, now: str, ancestors: Ancestors) -> Iterator[Finding]:
    pairs = zip_longest(_values(was), _values(now), fillvalue="T")
    found = {relation(one, other, ancestors) for one, other in pairs}
    if found == {TypeRelation.SAME} and len(_values(was)) == len(_values(now)):
        return
    step = MAJOR if TypeRelation.UNRELATED in found else PATCH
    yield Finding("result-type", step, facet, f"it now returns {now}, formerly {was}", None, was, now)


def _values(text: str) -> list[str]:
    """The types of the values that a result type lists, up to &optional or &rest."""
    if not text.startswith("(VALUES"):
        return [text]
    found: list[str] = []
    for item in items(text)[1:]:
        if item.startswith("&"):
            break
        found.append(item)
    return found
