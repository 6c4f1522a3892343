"""Compares two lambda lists of an operator: which valid calls become invalid.

A call is valid if it has all required arguments, no more arguments than there are places, and only
known keywords (CLHS 3.5.1). A change is breaking if a call that the old lambda list accepts becomes invalid.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...syntax.lambda_list import LambdaList, LambdaParameter
from ...syntax.printed import printed_lambda_list
from ..findings import MAJOR, MINOR, PATCH, Finding

_INFINITE = float("inf")


def compare_arglists(facet: str, old: str, new: str) -> Iterator[Finding]:
    """The changes from the printed lambda list ``old`` to ``new``."""
    if old == new:
        return
    before, after = printed_lambda_list(old), printed_lambda_list(new)
    found = False
    for change, step, message, part in _all(before, after):
        found = True
        yield Finding(change, step, facet, message, part, old, new)
    if not found:
        yield Finding("lambda-list", PATCH, facet, "its lambda list is written differently", None, old, new)


_Change = tuple[str, str, str, str | None]


def _all(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    yield from _numbers(before, after)
    yield from _places(before, after)
    yield from _nested(before, after)
    yield from _keys(before, after)
    yield from _defaults(before, after)


def _most(one: LambdaList) -> float:
    """The greatest number of arguments, not counting keywords."""
    return _INFINITE if one.takes_anything_more else len(one.positional)


def _numbers(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    """The changes in the least and the greatest number of positional arguments."""
    if len(after.required) > len(before.required):
        yield from _required_added(before, after)
    elif len(after.required) < len(before.required):
        yield from _required_removed(before, after)
    if _most(after) < _most(before):
        yield from _fewer(before, after)
    elif len(after.positional) > max(len(before.positional), len(after.required)):
        yield from _optionals_added(before, after)
    if after.takes_anything_more and not before.takes_anything_more:
        yield "rest-added", MINOR, "it now takes an unlimited number of further arguments", "&REST"


def _names(parameters: tuple[LambdaParameter, ...]) -> set[str]:
    return {one.name for one in parameters}


def _required_added(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    number = len(after.required) - len(before.required)
    # The arguments with new names, wherever they are; the last ones if other names have changed as well.
    added = [one for one in after.required if one.name not in _names(before.positional)]
    for one in added if len(added) == number else after.required[-number:]:
        if one.name in _names(before.optional):
            yield "argument-made-required", MAJOR, f"its argument {one.name} is now required", one.name
        else:
            message = f"it requires a new argument {one.name}"
            yield "required-argument-added", MAJOR, message, one.name


def _required_removed(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    number = len(before.required) - len(after.required)
    gone = [one for one in before.required if one.name not in _names(after.positional)]
    if len(gone) != number or _most(after) >= len(before.required):
        gone = list(before.required[-number:])
    for one in gone:
        if one.name in _names(after.optional) or _most(after) >= len(before.required):
            message = f"its argument {one.name} is now optional"
            yield "argument-made-optional", MINOR, message, one.name
        else:
            yield "argument-removed", MAJOR, f"its argument {one.name} is gone", one.name


def _fewer(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    if before.takes_anything_more:
        message = "it no longer takes an unlimited number of arguments"
        if after.keywords is not None:
            message = "it now takes only keyword arguments where it used to take any arguments"
        yield "rest-removed", MAJOR, message, "&REST"
        return
    start = max(len(after.positional), len(before.required))
    for one in before.positional[start:]:
        yield "optional-removed", MAJOR, f"its optional argument {one.name} is gone", one.name


def _optionals_added(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    start = max(len(before.positional), len(after.required))
    for one in after.positional[start:]:
        if before.keywords or before.allows_other_keys:
            message = f"its new optional argument {one.name} takes the first keyword of every call"
            yield "optional-added", MAJOR, message, one.name
        elif one.name not in {other.name for other in before.required}:
            yield "optional-added", MINOR, f"it takes a new optional argument {one.name}", one.name


def _places(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    """The positional arguments that have moved: calls still work, but mix up arguments."""
    old = [one.name for one in before.positional]
    new = [one.name for one in after.positional]
    moved = [
        name
        for place, name in enumerate(old)
        if old.count(name) == 1 and new.count(name) == 1 and new.index(name) != place
    ]
    if moved and len(after.required) <= len(before.positional):
        what = ", ".join(moved)
        yield "arguments-reordered", MAJOR, f"its arguments are in a different order: {what}", what
        return
    for place, (was, now) in enumerate(zip(before.positional, after.positional, strict=False)):
        if was.name != now.name and not (was.inner or now.inner) and was.name not in new:
            message = f"argument {place + 1} is now called {now.name}, formerly {was.name}"
            yield "argument-renamed", PATCH, message, now.name


def _nested(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    """The changes in the nested lambda lists of macros: the same rules, one level down."""
    for was, now in zip(before.positional, after.positional, strict=False):
        if was.inner is not None and now.inner is not None:
            if was.name != now.name:
                yield from _all(was.inner, now.inner)
        elif was.inner is not None or now.inner is not None:
            done = "now destructured" if now.inner is not None else "no longer destructured"
            message = f"its argument {was.name} is now {now.name}, so a list is {done}"
            yield "argument-shape", MAJOR, message, now.name


def _keys(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    old, new = before.defaults, after.defaults
    for keyword in old:
        if keyword in new:
            continue
        if after.takes_anything_more or after.allows_other_keys:
            message = f"its keyword {keyword} is still accepted, but no longer mentioned"
            yield "keyword-unnamed", PATCH, message, keyword
        else:
            yield "keyword-removed", MAJOR, f"its keyword {keyword} is gone", keyword
    for keyword in new:
        if keyword not in old:
            yield "keyword-added", MINOR, f"it takes a new keyword {keyword}", keyword
    if before.allows_other_keys and not (after.allows_other_keys or after.takes_anything_more):
        yield "other-keys-refused", MAJOR, "it now rejects unknown keywords", "&ALLOW-OTHER-KEYS"
    elif after.allows_other_keys and not before.allows_other_keys and not before.takes_anything_more:
        yield "other-keys-allowed", MINOR, "it now accepts unknown keywords", "&ALLOW-OTHER-KEYS"


def _defaults(before: LambdaList, after: LambdaList) -> Iterator[_Change]:
    """The changes in default values: calls still work, but may behave differently."""
    pairs = [
        (was.name, was.default, now.default)
        for was, now in zip(before.optional, after.optional, strict=False)
        if was.name == now.name
    ]
    new = after.defaults
    pairs += [(key, default, new[key]) for key, default in before.defaults.items() if key in new]
    for name, was, now in pairs:
        if (was or "NIL") != (now or "NIL"):
            yield (
                "default",
                PATCH,
                f"the default of {name} is now {now or 'NIL'}, formerly {was or 'NIL'}",
                name,
            )
