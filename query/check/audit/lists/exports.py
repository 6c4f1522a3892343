"""Exports that name nothing, or are not documented."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .. import sql
from ..answer import AuditFinding
from ..code import NO_USES, AuditedCode
from ..sql import EmptyExportRow, ExportingRow

_LACKING_DOCUMENTATION = frozenset(("FUNCTION", "VARIABLE", "TYPE"))


def empty_exports(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the exported symbols without definition, slot or use."""
    packages = sorted(code.packages)
    rows = code.index.rows(sql.EMPTY_EXPORTS, packages=json.dumps(packages))
    empty = [one for one in map(EmptyExportRow._make, rows) if not one.names_slot]
    uses = code.uses_of(one.symbol for one in empty)
    needed = code.needed_of(one.symbol for one in empty)
    symbols = json.dumps([one.symbol for one in empty])
    places: dict[int, ExportingRow] = {}
    for place in map(ExportingRow._make, code.index.rows(sql.EXPORTING, symbols=symbols, relation="exports")):
        places.setdefault(place.symbol, place)
    for one in empty:
        if one.symbol in needed or any(use.relation not in NO_USES for use in uses.get(one.symbol, ())):
            continue  # a word of a macro, a restart or the like
        at = places.get(one.symbol)
        path = code.index.local_path(at.path) if at is not None else None
        why = f"{one.package_name} exports it, but it is neither defined nor used"
        uncertain = None
        yield AuditFinding(
            "empty-export",
            code.written(one.symbol),
            None,
            why,
            uncertain,
            path,
            at.line if at is not None else None,
            at.column if at is not None else None,
        )


def undocumented(code: AuditedCode) -> Iterator[AuditFinding]:
    """Yield the exported definitions without documentation; accessors need none."""
    documented = {row.symbol for row in code.definitions if row.documented}
    seen: set[int] = set()
    for row in code.definitions:
        if (
            row.exported
            and row.kind != "method"
            and row.documentation_type in _LACKING_DOCUMENTATION
            and row.symbol not in documented
            and not code.is_made_by_class(row)
            and row.symbol not in seen
        ):
            seen.add(row.symbol)
            yield code.finding("undocumented", row, "it is exported, but has no documentation")
