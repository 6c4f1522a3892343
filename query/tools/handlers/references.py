"""The handler of find_references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...api import Index
from ...index.finding.guessed import with_guess
from ...index.not_found import NotFound
from ...questions.edit_sites.parameters import EditSitesParameters
from ...questions.xref.answer import XrefAnswer
from ...questions.xref.choosing import chosen
from ...questions.xref.parameters import (
    XrefCountsParameters,
    XrefParameters,
    XrefTreeParameters,
)
from ...questions.xref.text import xref_compact_text, xref_tree_text
from ..budget import budget_of, fitting, not_found
from ..declared import asked
from ..listing import MORE, Listing
from ..running.call import this_call
from ..vocabulary import Reply

_EVERYTHING = "everything=true"
_EDIT_SITES = "edit_sites=true"


class _References(Listing[XrefAnswer]):
    question = XrefParameters
    noun = "references"
    items = "references"
    omitted_of_items = ("text",)
    hint = "name a relation, or use a lower limit or a higher max_chars"

    def text(self, answer: XrefAnswer) -> str:
        return xref_compact_text(answer, MORE, _EVERYTHING, _EDIT_SITES)

    def notes(self, _: XrefAnswer, __: XrefAnswer) -> list[str]:
        return []  # the text has it

    def names(self, answer: XrefAnswer) -> list[str]:
        callees = self.asked.callees
        packages = (use.callee_package if callees else use.caller_package for use in answer.references)
        return [package or "no package" for package in packages]

    def counts(self, index: Index) -> Counter[str]:
        counts = this_call().ask(index, asked(XrefCountsParameters, self.arguments))
        return Counter({package or "no package": number for package, number in counts.items()})

    def following(self, answer: XrefAnswer) -> str:
        called = not self.asked.callees and "calls" in answer.relations
        return "edit_sites=true lists every place that a change to its arguments affects." if called else ""

    def lacking(self, _: XrefAnswer) -> str:
        return "The source lines were"


def find_references(arguments: Mapping[str, Any]) -> Reply:
    """Answer find_references."""
    kind = chosen(arguments)
    if kind is EditSitesParameters:
        from .lists import sites_to_edit  # few calls need it

        return sites_to_edit(arguments)
    if kind is XrefTreeParameters:
        return _tree(asked(XrefTreeParameters, arguments), budget_of(arguments))
    return _References(arguments).reply()


def _tree(wanted: XrefTreeParameters, budget: int) -> Reply:
    call = this_call()
    with call.index() as index:
        # A tree that is too long is asked for again, with fewer children per node.
        def grown(most: int) -> Reply:
            answer = call.ask(index, replace(wanted, limit=most))
            if isinstance(answer, NotFound):
                return not_found(answer, budget, wanted.name)
            notes = [] if most == wanted.limit else [f"Shortened to limit={most} to stay within max_chars."]
            return Reply(with_guess(answer, xref_tree_text(answer, _EVERYTHING)), answer, notes)

        limits = [wanted.limit, *(most for most in (5, 3, 2, 1) if most < (wanted.limit or 6))]
        return fitting([partial(grown, most) for most in limits], budget)
