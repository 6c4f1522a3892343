"""Compares the keyword and rest arguments that two versions of a generic function accept.

A call may have the keywords that the generic function or an applicable method names, and any others if one of
their lambda lists has &allow-other-keys (CLHS 7.6.5). If one of the lambda lists has &rest or &key, so must
all the others, even those of methods defined elsewhere (CLHS 7.6.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...syntax.lambda_list import LambdaList
from ..findings import MAJOR, PATCH, Finding

# The changes that already report a break in these arguments.
_SAID = {"rest-added", "rest-removed", "keyword-added", "keyword-removed", "other-keys-refused"}


@dataclass(frozen=True, slots=True)
class TakenLists:
    """The lambda list of a function, and those of its methods, by specializers and qualifiers.

    A function that is not generic has no methods.
    """

    own: LambdaList
    methods: dict[tuple[str | None, str | None], LambdaList]

    @property
    def has_more(self) -> bool:
        """Whether each method must have &rest or &key."""
        return self.own.rest_word is not None or self.own.keywords is not None

    @property
    def method_keys(self) -> set[str]:
        """The keywords that any method names."""
        return {keyword for one in self.methods.values() for keyword in one.defaults}

    @property
    def keys(self) -> set[str]:
        """The keywords that the function or any method names."""
        return self.method_keys | set(self.own.defaults)

    @property
    def takes_others(self) -> bool:
        """Whether any call may have arbitrary keywords."""
        if self.own.allows_other_keys or any(map(self.takes_anything, self.methods.values())):
            return True
        return self.own.takes_anything_more and not self.methods

    def takes_anything(self, method: LambdaList) -> bool:
        """Whether calls of this method may have arbitrary keywords."""
        return method.allows_other_keys or (self.own.takes_anything_more and method.takes_anything_more)


def compare_taken(
    facet: str, before: TakenLists, after: TakenLists, texts: tuple[str, str], found: list[Finding]
) -> list[Finding]:
    """``found``, the changes in a generic function's lambda list, adjusted for its methods."""
    lost = list(_lost_keys(facet, before, after, texts, found))
    about = {one.part for one in lost}
    found = [one for one in found if not (one.change == "keyword-unnamed" and one.part in about)]
    found += lost
    found += _refused(facet, before, after, texts, found)
    if before.has_more != after.has_more:
        found = [one for one in found if one.change != "lambda-list"]
        if not any(one.step == MAJOR and one.change in _SAID for one in found):
            found.append(_other_congruence(facet, after, texts))
    return found


def _lost_keys(
    facet: str, before: TakenLists, after: TakenLists, texts: tuple[str, str], found: list[Finding]
) -> Iterator[Finding]:
    """The keywords that the function or a method used to name, and that none of them names now."""
    if after.own.allows_other_keys:
        return
    said = {one.part for one in found if one.change == "keyword-removed"}
    for keyword in sorted(before.keys - after.keys - said):
        had = [key for key, one in before.methods.items() if keyword in one.defaults]
        # Calls of a method that is gone reach another one.
        still = [
            after.takes_anything(after.methods[key]) if key in after.methods else after.takes_others
            for key in had
        ]
        if all(still) if still else after.takes_others:
            message = f"its keyword {keyword} is still accepted, but no method mentions it any more"
            yield Finding("keyword-unnamed", PATCH, facet, message, keyword, *texts)
        else:
            message = f"none of its methods takes the keyword {keyword} any more"
            yield Finding("keyword-removed", MAJOR, facet, message, keyword, *texts)


def _refused(
    facet: str, before: TakenLists, after: TakenLists, texts: tuple[str, str], found: list[Finding]
) -> Iterator[Finding]:
    """The methods whose calls could have arbitrary keywords, and now cannot."""
    if after.own.allows_other_keys or {"other-keys-refused", "rest-removed"} & {one.change for one in found}:
        return
    stricter = [
        key[0] or "()"
        for key, method in before.methods.items()
        if before.takes_anything(method)
        and key in after.methods
        and not after.takes_anything(after.methods[key])
    ]
    if stricter:
        message = f"it now rejects unknown keywords for {', '.join(stricter)}"
        yield Finding("other-keys-refused", MAJOR, facet, message, "&ALLOW-OTHER-KEYS", *texts)


def _other_congruence(facet: str, after: TakenLists, texts: tuple[str, str]) -> Finding:
    if after.has_more:
        message = "it now has &rest or &key: methods elsewhere must have one of them, too"
        return Finding("rest-added", MAJOR, facet, message, "&KEY", *texts)
    message = "it no longer has &rest or &key: methods elsewhere must not have them, either"
    return Finding("rest-removed", MAJOR, facet, message, "&KEY", *texts)
