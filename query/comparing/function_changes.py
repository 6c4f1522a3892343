"""An exported function, macro or setf function compared with what it was."""

from __future__ import annotations

from collections.abc import Iterator

from .api import Definition, Symbol
from .argument_changes import compare_arglists
from .comparison import Comparison
from .facets import methods
from .findings import MAJOR, MINOR, PATCH, Finding
from .function_types import compare_function_types
from .lambda_list import parse_lambda_list
from .method_changes import compare_methods

# Kinds that take the other's place without anybody noticing: each call, and (function name), goes on.
_COMPATIBLE = {
    ("function", "generic-function"): "methods may be added to it",
    ("setf-function", "generic-function"): "methods may be added to it",
    ("setf-expander", "setf-function"): "it is a function as well",
    ("setf-expander", "generic-function"): "it is a function as well",
}
_NAMES = {"setf-function": "function", "setf-expander": "setf expander"}
# A generic function's lambda list binds everybody's methods as well (CLHS 7.6.4).
_NOT_CONGRUENT = {
    "argument-made-optional": "methods elsewhere have to take it as optional, too",
    "optional-added": "methods elsewhere have to take it, too",
    "keyword-added": "methods elsewhere have to accept it, too",
    "rest-added": "methods elsewhere have to have &rest or &key, too",
}


def compare_functions(
    comparison: Comparison, facet: str, before: tuple[Symbol, Definition], after: tuple[Symbol, Definition]
) -> Iterator[Finding]:
    """The changes of one function: kind, lambda list, type, methods."""
    (old_symbol, old), (new_symbol, new) = before, after
    if old.kind != new.kind:
        yield _kind(facet, old, new)
        if (old.kind, new.kind) not in _COMPATIBLE:
            return  # nothing else of it can be compared
    both_generic = old.kind == new.kind == "generic-function"
    old_text, new_text = old.arglist, new.arglist
    if old_text is not None and new_text is not None:
        old_keys = _keys_of_methods(old_symbol, old)
        new_keys = _keys_of_methods(new_symbol, new)
        for finding in compare_arglists(facet, old_text, new_text):
            if finding.change == "keyword-removed" and finding.part in new_keys:
                continue  # its methods take it: callers notice nothing
            yield _congruent(finding) if both_generic else finding
        own = parse_lambda_list(new_text)
        if own.keys is not None and not own.allows_other_keys:
            yield from _lost_keys(facet, old_keys - new_keys - set(own.keys), old_text, new_text)
    if old.kind == new.kind and not both_generic:  # a generic function's type says what its arglist says
        yield from compare_function_types(
            facet, comparison.type_now(old.ftype), new.ftype, comparison.ancestors
        )
    if both_generic:
        yield from compare_methods(
            comparison, facet, methods(old_symbol, old.operator), methods(new_symbol, new.operator)
        )


def _kind(facet: str, old: Definition, new: Definition) -> Finding:
    was, now = _name(old.kind), _name(new.kind)
    why = _COMPATIBLE.get((old.kind, new.kind))
    message = f"it is a {now}, it was a {was}" + (f": {why}" if why else "")
    return Finding("kind", MINOR if why else MAJOR, facet, message, None, old.kind, new.kind)


def _name(kind: str) -> str:
    return _NAMES.get(kind, kind).replace("-", " ")


def _congruent(finding: Finding) -> Finding:
    """The same change as one that methods defined by others have to follow."""
    why = _NOT_CONGRUENT.get(finding.change)
    if why is None:
        return finding
    return Finding(
        finding.change,
        MAJOR,
        finding.facet,
        f"{finding.message}: {why}",
        finding.part,
        finding.old,
        finding.new,
    )


def _keys_of_methods(symbol: Symbol, definition: Definition) -> set[str]:
    """The keywords that methods of a generic function name; of any other function none."""
    if definition.kind != "generic-function":
        return set()
    found: set[str] = set()
    for method in methods(symbol, definition.operator):
        found |= set(parse_lambda_list(method.arglist or "()").keys or ())
    return found


def _lost_keys(facet: str, lost: set[str], old: str, new: str) -> Iterator[Finding]:
    """Keywords that some method took and none does now, where the generic function names none."""
    named = set(parse_lambda_list(old).keys or ())
    for keyword in sorted(lost - named):
        message = f"none of its methods takes the keyword {keyword} any more"
        yield Finding("keyword-removed", MAJOR, facet, message, keyword, old, new)


def compare_combinations(facet: str, old: Definition, new: Definition) -> Iterator[Finding]:
    """The changes of what only has a lambda list: method combinations, types of DEFTYPE."""
    if old.arglist is not None and new.arglist is not None:
        yield from compare_arglists(facet, old.arglist, new.arglist)
    elif old.kind != new.kind:
        yield Finding("kind", PATCH, facet, f"it is a {_name(new.kind)}", None, old.kind, new.kind)
