"""The rule duplicate-definition."""

from __future__ import annotations

from collections.abc import Iterator

from ...declare.declarations import DeclaredDefinition
from ...findings import SourceFinding
from .whole import MADE, CheckedProject, ProjectRule, finding

# Definitions replace each other if their kinds have the same value here.
_SPACES = {
    "function": "function", "macro": "function", "generic-function": "function",
    "variable": "variable", "constant": "variable", "symbol-macro": "variable",
    "class": "type", "structure": "type", "condition": "type", "type": "type",
    "method": "method", "setf-method": "setf method", "setf-function": "setf function",
    "setf-generic-function": "setf function", "setf-expander": "setf expander",
    "compiler-macro": "compiler macro", "method-combination": "method combination",
}  # fmt: skip


def _duplicates(project: CheckedProject) -> Iterator[SourceFinding]:
    """The definitions that replace an earlier one in the same file, or in another one of the same system.

    A variable may be declared in one file before another one gives it a value.
    """
    first: dict[tuple[object, ...], DeclaredDefinition] = {}
    for definition in project.declarations.definitions:
        space = _SPACES.get(definition.kind)
        if space is None or not definition.settled or definition.variant == MADE:
            continue
        path = definition.place.path
        together = path if space == "variable" else project.systems.get(path, path)
        name = definition.within, definition.package, definition.name
        key = (together, *name, space, definition.variant)
        known = first.setdefault(key, definition)
        if known is not definition and known.operator == definition.operator:
            where = f"on line {known.place.line}"
            if known.place.path != path:
                where = f"in {known.place.path}, line {known.place.line}"
            said = f"the {space} {project.written(definition.name)} is already defined {where}"
            yield finding(RULE, definition.place, said, definition.name)


RULE = ProjectRule("duplicate-definition", "warning", __file__, _duplicates)
