"""Compares two versions of an exported function, macro or setf function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...syntax.printed import printed_lambda_list
from ..api import ApiSymbol
from ..comparison import Comparison
from ..facets import methods
from ..findings import MAJOR, MINOR, PATCH, Finding
from ..sql import ApiDefinitionRow
from .function_types import compare_function_types
from .generic_functions import TakenLists, compare_taken
from .lambda_lists import compare_arglists
from .methods import compare_methods

# Changes of kind that callers do not notice: every call, and (function name), still works.
_COMPATIBLE = {
    ("function", "generic-function"): "it accepts methods",
    ("setf-function", "generic-function"): "it accepts methods",
    ("setf-expander", "setf-function"): "it is also a function",
    ("setf-expander", "generic-function"): "it is also a function",
}
_NAMES = {"setf-function": "function", "setf-expander": "setf expander"}
# A generic function's lambda list constrains the methods that others define, too (CLHS 7.6.4).
_NOT_CONGRUENT = {
    "argument-made-optional": "methods elsewhere must make it optional, too",
    "optional-added": "methods elsewhere must take it, too",
    "keyword-added": "methods elsewhere must accept it, too",
    "rest-added": "methods elsewhere must have &rest or &key, too",
}


def compare_functions(
    comparison: Comparison,
    facet: str,
    before: tuple[ApiSymbol, ApiDefinitionRow],
    after: tuple[ApiSymbol, ApiDefinitionRow],
) -> Iterator[Finding]:
    """The changes in one function: in its kind, lambda list, type and methods."""
    (old_symbol, old), (new_symbol, new) = before, after
    if old.kind != new.kind:
        yield _kind(facet, old, new)
        if (old.kind, new.kind) not in _COMPATIBLE:
            return  # nothing else can be compared
    both_generic = old.kind == new.kind == "generic-function"
    if old.arglist is not None and new.arglist is not None:
        taken = (
            _taken(comparison, old_symbol, old, old.arglist),
            _taken(None, new_symbol, new, new.arglist),
        )
        yield from _arglists(facet, *taken, (old.arglist, new.arglist), both_generic=both_generic)
    if old.kind == new.kind and not both_generic:  # a generic function's type only repeats its arglist
        yield from compare_function_types(
            facet, comparison.type_now(old.ftype), new.ftype, comparison.ancestors
        )
    if both_generic:
        yield from compare_methods(
            comparison, facet, methods(old_symbol, old.operator), methods(new_symbol, new.operator)
        )


def _kind(facet: str, old: ApiDefinitionRow, new: ApiDefinitionRow) -> Finding:
    was, now = _name(old.kind), _name(new.kind)
    why = _COMPATIBLE.get((old.kind, new.kind))
    message = f"it is now a {now}, formerly a {was}" + (f": {why}" if why else "")
    return Finding("kind", MINOR if why else MAJOR, facet, message, None, old.kind, new.kind)


def _name(kind: str) -> str:
    return _NAMES.get(kind, kind).replace("-", " ")


def _taken(comparison: Comparison | None, symbol: ApiSymbol, one: ApiDefinitionRow, text: str) -> TakenLists:
    """The arguments a function takes. With a ``comparison``, methods are keyed by new class names."""
    found = {}
    if one.kind == "generic-function":
        for method in methods(symbol, one.operator):
            name = comparison.type_now(method.specializers) if comparison else method.specializers
            found[name, method.qualifiers] = printed_lambda_list(method.arglist or "()")
    return TakenLists(printed_lambda_list(text), found)


def _arglists(
    facet: str, before: TakenLists, after: TakenLists, texts: tuple[str, str], *, both_generic: bool
) -> Iterator[Finding]:
    """The changes in the lambda list, and in the arguments that methods take."""
    found = [
        _congruent(one, before) if both_generic else one
        for one in compare_arglists(facet, *texts)
        # A keyword that methods take is still accepted: callers notice nothing.
        if not (one.change == "keyword-removed" and one.part in after.method_keys)
    ]
    yield from compare_taken(facet, before, after, texts, found) if both_generic else found


def _congruent(finding: Finding, before: TakenLists) -> Finding:
    """The same change, made major if methods defined elsewhere must follow it."""
    why = _NOT_CONGRUENT.get(finding.change)
    if why is None or (finding.change == "rest-added" and before.has_more):
        return finding
    return replace(finding, step=MAJOR, message=f"{finding.message}: {why}")


def compare_combinations(facet: str, old: ApiDefinitionRow, new: ApiDefinitionRow) -> Iterator[Finding]:
    """The changes in a definition that has only a lambda list, such as a method combination."""
    if old.arglist is not None and new.arglist is not None:
        yield from compare_arglists(facet, old.arglist, new.arglist)
    elif old.kind != new.kind:
        yield Finding("kind", PATCH, facet, f"it is now a {_name(new.kind)}", None, old.kind, new.kind)
