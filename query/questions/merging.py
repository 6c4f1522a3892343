"""Answers of several indexes as one: their fields, their negative answers, and what they may lack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import chain, zip_longest
from typing import Any, TypeVar

from oblist.indexer.left_out import REFERENCES

from ..index.incomplete import may_lack
from ..index.not_found import NotFound
from ..index.reading import Reading
from ..index.shown import shown_name

_MOST_SUGGESTIONS = 5
_Extended = TypeVar("_Extended")
_NO_PACKAGE = "package-not-found"

Refusal = tuple[Reading, NotFound]
"""An index, or the catalog, and its negative answer."""


def extended(kind: type[_Extended], answer: Any, **more: Any) -> _Extended:
    """The ``answer`` as one of ``kind``, a subclass of its class, whose own fields are ``more``."""
    return kind(**{one.name: getattr(answer, one.name) for one in fields(answer)} | more)


def none_has(refusals: Sequence[Refusal]) -> NotFound:
    """The answer if none has what was asked: the message of the first with the package, all reasons.

    Without one that does, the first one's. What is wrong with the question itself is said once.
    """
    answers = [answer for _, answer in refusals]
    incomplete = missing((asked, None) for asked, _ in refusals)
    if len(refusals) == 1:
        return replace(answers[0], incomplete=incomplete)
    first = next((one for one in answers if one.error != _NO_PACKAGE), answers[0])
    if first.error.startswith("invalid-") and len({one.message for one in answers}) == 1:
        return first
    reasons = [f"{shown_name(str(asked.path))}: {one.reason}" for asked, one in refusals if one.reason]
    # Where the package is missing, packages are suggested.
    alike = [one.suggestions for one in answers if one.error == first.error]
    in_turn = chain.from_iterable(zip_longest(*alike))
    suggestions = list(dict.fromkeys(one for one in in_turn if one is not None))[:_MOST_SUGGESTIONS]
    reason = "\n".join(reasons) or None
    return replace(first, reason=reason, suggestions=suggestions, incomplete=incomplete)


def missing(asked: Iterable[tuple[Reading, str | None]], *, of_uses: bool = False) -> str | None:
    """Return what did not load in each of the indexes, if the answer may lack something because of it.

    With the name of a package, an index is asked only about that: its part of the answer is from there. An
    answer ``of_uses`` also lacks those that nobody recorded.
    """
    texts = [
        (one, text)
        for one, package in asked
        if not one.is_catalog
        for text in (may_lack(one, package), one.unrecorded(REFERENCES) if of_uses else None)
    ]
    return "; ".join(f"{shown_name(str(one.path))}: {text}" for one, text in texts if text) or None
