"""Classes that are never made, conditions that are never signalled, initargs that nobody passes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator

from ....syntax.printed import items
from .. import sql
from ..answer import AuditFinding
from ..code import AuditedCode
from ..sql import AuditedRow, InitargsRow

_MAKING = frozenset(("instantiates", "names", "mentions"))
_WITH_INITARGS = ("class", "condition")
_APPLIED = "make-instance is applied to lists of arguments"


def never_made(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the classes with methods that nothing makes an instance of."""
    rows = [row for row in code.definitions if row.kind == "class" and code.counts(row)]
    methods = dict(code.index.rows(sql.METHODS_ON, classes=json.dumps([row.symbol for row in rows])))
    made = _made(code, rows)
    for row in rows:
        if (number := methods.get(row.symbol, 0)) and row.symbol not in made:
            has = "1 method specializes" if number == 1 else f"{number} methods specialize"
            why = f"nothing makes an instance of it or of a subclass; {has} on it"
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
    below: defaultdict[int, set[int]] = defaultdict(set)
    waiting = {row.symbol for row in rows}
    known = set(waiting)
    while waiting:
        found = code.index.rows(sql.DIRECT_SUBCLASSES, classes=json.dumps(sorted(waiting)))
        for above, one in found:
            below[above].add(one)
        waiting = {one for _, one in found} - known
        known |= waiting
    uses = code.uses_of(known)
    made = {one for one in known if any(use.relation in _MAKING for use in uses.get(one, ()))}
    changed = True
    while changed:
        more = {above for above, ones in below.items() if above not in made and ones & made}
        made |= more
        changed = bool(more)
    return made


def initargs(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the initargs that nothing passes."""
    rows = {row.number: row for row in code.definitions if row.kind in _WITH_INITARGS and code.counts(row)}
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
            why = f"nothing passes this initarg of slot {slot.lower()} of {code.written(row.symbol)}"
            path = code.index.local_path(row.path)
            about = code.uncertain(row) or (_APPLIED if code.passes_lists_of_initargs else None)
            yield AuditFinding("initarg", name.lower(), "initarg", why, about, path, row.line, row.column)
