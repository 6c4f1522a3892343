"""Compares two versions of an exported symbol: its home, and its definition in each namespace."""

from __future__ import annotations

from collections.abc import Iterator

from ..api import ApiSymbol
from ..comparison import Comparison, compare_remarks
from ..facets import facets
from ..findings import MAJOR, MINOR, PATCH, Finding
from ..sql import ApiDefinitionRow
from .classes import compare_type_definitions
from .functions import compare_combinations, compare_functions
from .variables import compare_variables

SYMBOL = "symbol"


def compare_symbols(
    comparison: Comparison, old: ApiSymbol, new: ApiSymbol
) -> Iterator[tuple[Finding, ApiDefinitionRow | None]]:
    """The changes to one name, each with the definition that shows it."""
    before, after = facets(old), facets(new)
    if old.home is not None and comparison.package_now(old.home) != new.home:
        message = f"its home package is now {new.home or 'none'}, formerly {old.home}"
        yield Finding("home", PATCH, SYMBOL, message, None, old.home, new.home), None
    for facet, definition in before.items():
        if facet in after:
            for finding in _compare(comparison, facet, (old, definition), (new, after[facet])):
                yield finding, after[facet]
        else:
            what = described(definition)
            message = f"the {what} is gone, but the name is still exported"
            yield Finding("definition-removed", MAJOR, facet, message, None, definition.arglist), definition
    for facet, definition in after.items():
        if facet not in before:
            what = described(definition)
            article = "an" if what[0] in "aeiou" else "a"
            message = f"it is now {article} {what}" + (" as well" if before else "")
            finding = Finding("definition-added", MINOR, facet, message, None, None, definition.arglist)
            yield finding, definition


def _compare(
    comparison: Comparison,
    facet: str,
    before: tuple[ApiSymbol, ApiDefinitionRow],
    after: tuple[ApiSymbol, ApiDefinitionRow],
) -> Iterator[Finding]:
    old, new = before[1], after[1]
    if facet in ("function", "setf", "cas"):
        yield from compare_functions(comparison, facet, before, after)
    elif facet == "variable":
        yield from compare_variables(comparison, facet, old, new)
    elif facet == "type":
        yield from compare_type_definitions(comparison, facet, old, new)
    else:
        yield from compare_combinations(facet, old, new)
    yield from compare_remarks(facet, old, new)


def described(definition: ApiDefinitionRow) -> str:
    """The kind of a definition, in words."""
    kind = definition.kind.replace("-", " ")
    return f"setf {kind}" if definition.operator == "SETF" and "setf" not in kind else kind


def meaning(symbol: ApiSymbol) -> str:
    """The kinds of a symbol's definitions, in words: ``function``, ``class and function``, ``symbol``."""
    return " and ".join(described(one) for one in facets(symbol).values()) or "symbol"
