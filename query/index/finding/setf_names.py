"""Names such as ``(setf foo)``: their definitions, and the answer when there are none."""

from __future__ import annotations

from .. import sql
from ..not_found import NotFound
from ..reading import Reading
from ..shown import shown_name
from ..written import written
from .resolve import Resolved


def belongs_to(row_operator: str | None, documentation_type: str | None, operator: str) -> bool:
    """Return whether a definition is one of ``(operator name)``: its function or its expander."""
    return row_operator == operator or (operator == "SETF" and documentation_type == "SETF")


def no_such_function(index: Reading, found: Resolved) -> NotFound:
    """Make the answer for a symbol that exists but has no (setf symbol) definition."""
    name = found.typed.upcased
    exported_from = [row[0] for row in index.rows(sql.EXPORTED_FROM, symbol=found.symbol)]
    status = "external" if found.home in exported_from else "internal"
    return NotFound(
        "symbol-not-found",
        f"Symbol {shown_name(name)} not found in package {shown_name(found.asked)} (status: NIL)",
        f"The symbol exists, but {name} has no definition.",
        [written(index, found.name, found.home, status)],
    )
