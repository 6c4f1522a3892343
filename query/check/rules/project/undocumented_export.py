"""The rule undocumented-export."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings import SourceFinding
from .whole import MADE, CheckedProject, ProjectRule, finding

_DOCUMENTABLE = frozenset(
    {
        *("function", "macro", "generic-function", "variable", "constant"),
        *("class", "structure", "condition", "type"),
    }
)


def _undocumented(project: CheckedProject) -> Iterator[SourceFinding]:
    """The exported symbols whose definitions have no documentation string."""
    defined = project.definitions()
    for name, place, symbol in project.exports():
        there = [one for one in defined.get(symbol, ()) if one.kind in _DOCUMENTABLE and one.variant != MADE]
        if there and not any(one.documented for one in there):
            said = f"the {there[0].kind} {project.written(name)} has no documentation string"
            yield finding(RULE, place, said, name)


RULE = ProjectRule("undocumented-export", "info", __file__, _undocumented)
