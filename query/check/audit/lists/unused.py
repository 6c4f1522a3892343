"""Definitions that nothing uses, macros that are used once, generic functions without methods."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .. import sql
from ..answer import AuditFinding
from ..code import STANDARD_DEFINERS, AuditedCode
from ..sql import AuditedRow

_KINDS = frozenset(
    (
        *("function", "generic-function", "macro", "setf-function", "variable", "constant", "symbol-macro"),
        *("class", "structure", "condition", "type"),
    )
)
_CLASSES = frozenset(("class", "structure", "condition"))
_OF_METHODS = frozenset(("specializes",))


def unused(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the definitions that nothing uses but themselves."""
    own = {row.symbol for row in code.definitions if row.kind in _CLASSES}
    for row in code.definitions:
        if row.kind not in _KINDS or not code.counts(row) or row.defined_by not in STANDARD_DEFINERS:
            continue
        if code.is_made_by_class(row) or is_needed(code, row):
            continue
        if row.symbol in own and row.kind not in _CLASSES:
            continue
        if row.operator or row.name not in code.looked_up:
            uncertain = code.uncertain(row) or (None if row.operator else code.in_text(row))
            where = ", here or in the catalog" if row.exported and code.releases is not None else ""
            yield code.finding("unused", row, f"nothing uses it{where}", uncertain)


def is_needed(code: AuditedCode, row: AuditedRow) -> bool:
    """Whether anything but its own form uses a definition; a class, if methods of other forms are on it.

    Whether an instance of such a class is made is another question.
    """
    if any(use.relation not in _OF_METHODS for use in code.needing(row)):
        return True
    return row.kind in _CLASSES and (_specialized(code, row) or _accessed(code, row.number))


def _specialized(code: AuditedCode, row: AuditedRow) -> bool:
    """Whether methods that the form of a class does not make specialize on it."""
    uses = [use for use in code.uses.get(row.symbol, ()) if use.relation in _OF_METHODS]
    return any(use.file != row.file or not code.is_on_lines(row, use.line) for use in uses)


def _accessed(code: AuditedCode, class_id: int) -> bool:
    """Whether a function that a class makes is used."""
    functions = [one for (one,) in code.index.rows(sql.FUNCTIONS_OF_CLASS, class_id=class_id)]
    if not code.needed.keys().isdisjoint(functions):
        return True
    uses = code.uses_of(functions)
    return any(use.relation not in ("defines", "exports") for one in functions for use in uses.get(one, ()))


def used_once(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the macros that are used in one place only."""
    for row in code.definitions:
        if row.kind != "macro" or not code.counts(row) or row.defined_by not in STANDARD_DEFINERS:
            continue
        uses = list(code.needing(row))
        if len(uses) == 1 and uses[0].relation == "macroexpands":
            by = f" by {code.written(uses[0].by)}" if uses[0].by is not None else ""
            line = f", on line {uses[0].line}" if uses[0].file == row.file else ""
            yield code.finding("used-once", row, f"it is used once{by}{line}", code.uncertain(row))


def no_methods(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the generic functions without methods."""
    generic = [row for row in code.definitions if row.kind == "generic-function"]
    numbers = json.dumps(sorted({row.symbol for row in generic}))
    with_methods = set(code.index.rows(sql.WITH_METHODS, symbols=numbers))
    for row in generic:
        if (row.symbol, row.operator) not in with_methods:
            known = code.releases is not None and row.symbol not in code.needed
            uncertain = "it is exported: others may define methods" if row.exported and not known else None
            yield code.finding("no-methods", row, "it has no methods", uncertain)
