"""Calls with arguments of types that are no longer allowed."""

from __future__ import annotations

from collections.abc import Iterator

from ...syntax.nodes import Atom, Form, Node
from ...syntax.type_relation import TypeRelation, relation
from ..answer import BrokenLine
from ..changed import NameChange
from ..context import ForecastContext
from ..own import OwnUse

SORT = "type"


def calls_with_other_types(context: ForecastContext) -> Iterator[BrokenLine]:
    """The calls that pass a literal, or what a function of a known type returns, where it is now excluded."""
    for symbol, changes in context.by_symbol.items():
        narrowed = [one for one in changes if one.sort == "argument-type" and one.is_breaking]
        for use in context.own.uses.get(symbol, ()) if narrowed else ():
            form = context.own.form_around(use) if use.relation == "calls" else None
            for one in narrowed if form is not None else ():
                if form is not None and _is_excluded(context, one, use, form):
                    yield use.broken(SORT, f"{one.written}: {one.change.finding.message}")
                    break


def _is_excluded(context: ForecastContext, one: NameChange, use: OwnUse, form: Form) -> bool:
    argument = _argument(form, one.change.finding.part or "")
    sort = context.own.type_of_call(use, form, argument) if isinstance(argument, Form) else _sort(argument)
    if sort is None:
        return False
    ancestors = context.changes.new.ancestor_names
    return relation(sort, one.change.finding.new, ancestors) is TypeRelation.UNRELATED


def _argument(form: Form, part: str) -> Node | None:
    """The argument of a call at a position, from 1, or after a keyword."""
    if part.isdigit():
        return form.items[int(part)] if int(part) < len(form.items) else None
    for key, value in zip(form.items[1:], form.items[2:], strict=False):
        if isinstance(key, Atom) and key.text.upper() == part:
            return value
    return None


def _sort(node: Node | None) -> str | None:
    """The printed type of a literal; None for what is evaluated."""
    if not isinstance(node, Atom):
        return None
    text = node.text
    if text.startswith('"'):
        return "SIMPLE-STRING"
    if text.startswith("#\\"):
        return "CHARACTER"
    if text.startswith(":"):
        return "SYMBOL"
    if text.lstrip("+-").isdigit():
        return "INTEGER"
    return "NULL" if text.upper() == "NIL" else None
