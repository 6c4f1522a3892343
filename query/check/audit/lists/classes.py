"""Classes that are never made, conditions that are never signalled, initargs that nobody passes."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ....syntax.printed import items
from .. import sql
from ..answer import AuditFinding
from ..code import AuditedCode
from ..sql import AuditedRow, InitargsRow
from .unused import is_needed

_MAKING = frozenset(("instantiates", "names", "mentions"))
_WITH_INITARGS = ("class", "condition")
_APPLIED = "make-instance is applied to lists of arguments"


def never_made(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the classes that have methods but no instances, except those that are unused."""
    rows = [row for row in code.definitions if row.kind == "class" and code.counts(row)]
    methods = dict(code.index.rows(sql.METHODS_ON, classes=json.dumps([row.symbol for row in rows])))
    made = _made(code, rows)
    for row in rows:
        if (number := methods.get(row.symbol, 0)) and row.symbol not in made and is_needed(code, row):
            has = "1 method specializes" if number == 1 else f"{number} methods specialize"
            why = f"no code makes an instance of it or of a subclass; {has} on it"
            yield code.finding("never-made", row, why, code.uncertain(row))


def never_signalled(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the conditions that nothing signals."""
    rows = [row for row in code.definitions if row.kind == "condition" and code.counts(row)]
    made = _made(code, rows)
    for row in rows:
        if row.symbol not in made and any(code.needing(row)):
            yield code.finding("never-signalled", row, "nothing signals it", code.uncertain(row))


def _made(code: AuditedCode, rows: list[AuditedRow]) -> set[int]:
    """The classes that something makes, or names as data, and those that such a class inherits from."""
    below = _below(code, {row.symbol for row in rows})
    uses = code.uses_of(below)
    made = {one for one in below if any(use.relation in _MAKING for use in uses.get(one, ()))}
    return _with_what_is_above(below, made | code.others_may_use(below))


def _below(code: AuditedCode, classes: set[int]) -> dict[int, set[int]]:
    """The classes directly below ``classes``, and below those; of all of them, also of those with none."""
    below: dict[int, set[int]] = {}
    waiting = classes
    while waiting:
        below |= {one: set() for one in waiting}
        found = code.index.rows(sql.DIRECT_SUBCLASSES, classes=json.dumps(sorted(waiting)))
        for above, one in found:
            below[above].add(one)
        waiting = {one for _, one in found} - below.keys()
    return below


def _with_what_is_above(below: dict[int, set[int]], classes: set[int]) -> set[int]:
    """``classes``, and those that any of them inherits from."""
    found, more = set(classes), True
    while more:
        above = {one for one, ones in below.items() if one not in found and ones & found}
        found |= above
        more = bool(above)
    return found


def initargs(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the initargs that nothing passes."""
    rows = {row.number: row for row in code.definitions if row.kind in _WITH_INITARGS and code.counts(row)}
    # Others who make a subclass may pass it.
    below = _below(code, {row.symbol for row in rows.values()})
    open_to_others = _with_what_is_above(below, code.others_may_use(below))
    rows = {number: row for number, row in rows.items() if row.symbol not in open_to_others}
    slots = code.index.rows(sql.INITARGS, classes=json.dumps(sorted(rows)))
    found: list[tuple[AuditedRow, str, str]] = []
    for one in map(InitargsRow._make, slots):
        names = (name for name in items(f"({one.initargs})") if name.startswith(":"))
        found += [(rows[one.class_id], one.slot, name) for name in names]
    named = json.dumps(sorted({name[1:] for _, _, name in found}))
    numbers = dict(code.index.rows(sql.KEYWORD_NUMBERS, names=named))
    uses = code.uses_of(numbers.values())
    for row, slot, name in found:
        number = numbers.get(name[1:])
        others = (use for use in uses.get(number or 0, ()) if use.by_kind not in _WITH_INITARGS)
        if number is not None and next(others, None) is None:
            why = f"no code passes this initarg of the slot {slot.lower()} of {code.written(row.symbol)}"
            path = code.index.local_path(row.path)
            about = code.uncertain(row) or (_APPLIED if code.passes_lists_of_initargs else None)
            yield AuditFinding("initarg", name.lower(), "initarg", why, about, path, row.line, row.column)
