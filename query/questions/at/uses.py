"""What a form uses: as SBCL recorded, also in expansions, and what else its text names."""

from __future__ import annotations

from collections.abc import Iterator

from ...syntax.nodes import Atom, Form
from ..xref.answer import ReferenceAnswer
from ..xref.caller_names import CallerNames
from .answer import UseAt
from .place import Place

_NO_USES = frozenset(("defines", "mentions"))


def uses_in(place: Place, form: Form) -> list[UseAt]:
    """Return what a form uses; expansions come last, each in the order of the text."""
    found: dict[UseAt, None] = {}
    for _, use in place.recorded:
        if use.relation == "defines":
            continue
        there = place.source.now(use)
        if there is not None and _is_in(place, form, *there, use.in_expansion_of):
            found[_use(use, *there)] = None
    placed = {(one.use_line, one.use_column) for one in found}
    for one in _told_by_text(place, form):
        if (one.use_line, one.use_column) not in placed:
            found[one] = None
    return sorted(found, key=_order)


def _order(one: UseAt) -> tuple[object, ...]:
    by = one.in_expansion_of
    return by is not None, by or "", one.use_line or 0, one.use_column is None, one.use_column or 0


def _told_by_text(place: Place, form: Form) -> Iterator[UseAt]:
    """The names in a form that the walk tells the meaning of."""
    names = CallerNames(place.source.index)
    for one in place.toplevel.walked.global_places() if place.toplevel is not None else ():
        number = one.symbol.number
        if number is None or one.relation in _NO_USES or not form.start <= one.start < form.end:
            continue
        callee = names.callee(number, one.operator)
        line, column = place.source.lines.place(one.start)
        yield UseAt(callee.written, callee.kind(one.relation), one.relation, line, column, None)


def _use(use: ReferenceAnswer, line: int, column: int | None) -> UseAt:
    return UseAt(use.callee, use.callee_kind, use.relation, line, column, use.in_expansion_of)


def _is_in(place: Place, form: Form, line: int, column: int | None, expansion: str | None) -> bool:
    """Whether a use is in a form: one by an expansion is if a form of that operator on its line is."""
    source = place.source
    if line > len(source.lines):
        return False
    start = source.lines.start(line)
    if column is not None:
        return form.start <= start + column - 1 < form.end
    end = source.lines.start(line + 1) if line < len(source.lines) else len(source.text)
    on_line = [one for one in place.lists if start <= one.start < end]
    heads = [one for one in on_line if _head(one).upper() == (expansion or "").upper()]
    return any(form.start <= one.start < form.end for one in heads or on_line)


def _head(form: Form) -> str:
    """The operator of a form, without its package."""
    head = form.items[0] if form.items else None
    return head.text.rpartition(":")[2] if isinstance(head, Atom) else ""
