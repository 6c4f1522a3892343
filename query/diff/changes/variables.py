"""Compares two versions of an exported variable, constant or symbol macro."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...syntax.type_relation import TypeRelation, relation
from ..comparison import Comparison
from ..findings import MAJOR, MINOR, PATCH, Finding
from ..sql import ApiDefinitionRow

_SORTS = (
    ("an integer", re.compile(r"[+-]?\d+\.?")),
    ("a number", re.compile(r"[+-]?[\d./]+([esfdl][+-]?\d+)?|#C\(.*\)", re.IGNORECASE)),
    ("a string", re.compile(r'".*"', re.DOTALL)),
    ("a character", re.compile(r"#\\.*", re.DOTALL)),
    ("a list", re.compile(r"\(.*|NIL", re.DOTALL)),
    ("an array", re.compile(r"#(\d*A)?\(.*|#\*.*", re.DOTALL)),
    ("an object", re.compile(r"#.*", re.DOTALL)),
)
# Code that reads a constant can read a variable; code that binds or sets a variable cannot do so with
# a constant.
_COMPATIBLE = {("constant", "variable"), ("symbol-macro", "variable")}


def compare_variables(
    comparison: Comparison, facet: str, old: ApiDefinitionRow, new: ApiDefinitionRow
) -> Iterator[Finding]:
    """The changes in kind, in type, and in the value of a constant."""
    if old.kind != new.kind:
        step = MINOR if (old.kind, new.kind) in _COMPATIBLE else MAJOR
        was, now = old.kind.replace("-", " "), new.kind.replace("-", " ")
        yield Finding("kind", step, facet, f"it is now a {now}, formerly a {was}", None, old.kind, new.kind)
    elif old.kind == "variable":
        yield from compare_types(comparison, facet, "its", None, old.ftype, new.ftype)
    elif old.value != new.value:
        yield _value(facet, old, new)


def _value(facet: str, old: ApiDefinitionRow, new: ApiDefinitionRow) -> Finding:
    was, now = _sort(old.value), _sort(new.value)
    if old.kind == "constant" and was != now:
        message = f"its value is now {now}, formerly {was}"
        return Finding("value", MAJOR, facet, message, None, old.value, new.value)
    what = "value" if old.kind == "constant" else "expansion"
    # Compiled code may contain the old value (CLHS DEFCONSTANT), so users must recompile.
    message = f"its {what} changed: code that uses it must be recompiled"
    return Finding("value", MINOR, facet, message, None, old.value, new.value)


def _sort(value: str | None) -> str:
    """The sort of object that a printed value stands for."""
    text = value or ""
    return next((name for name, pattern in _SORTS if pattern.fullmatch(text)), "a symbol")


def compare_types(
    comparison: Comparison, facet: str, whose: str, part: str | None, old: str | None, new: str | None
) -> Iterator[Finding]:
    """The change in the type of a place that can be read and written."""
    old = comparison.type_now(old)
    found = relation(old, new, comparison.ancestors)
    if found is TypeRelation.SAME:
        return
    was, now = old or "T", new or "T"
    step = {TypeRelation.WIDER: MINOR, TypeRelation.UNKNOWN: PATCH}.get(found, MAJOR)
    yield Finding("type", step, facet, f"{whose} type is now {now}, formerly {was}", part, was, now)
