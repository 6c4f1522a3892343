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
from ...questions.xref.answer import XrefAnswer, XrefTreeAnswer
from ...questions.xref.text import xref_compact_text, xref_tree_text
from ..answer import CountsAnswer
from ..budget import budget_of, fitting, not_found
from ..limits import PACKAGE, REFERENCES_LIMIT, TREE_LIMIT
from ..listing import MORE, Listing
from ..running.call import this_call
from ..vocabulary import Reply

ANSWERS = (XrefAnswer, XrefTreeAnswer, CountsAnswer, NotFound)

_EVERYTHING = "everything=true"


class _References(Listing[XrefAnswer]):
    limit = REFERENCES_LIMIT
    noun = "references"
    hint = "name a relation, take a lower limit, or a higher max_chars"

    def ask(self, index: Index, limit: int, offset: int) -> XrefAnswer | NotFound:
        asked = self.arguments
        package, relation = asked.get("package", PACKAGE), asked.get("relation")
        return index.xref(
            *(asked["name"], package),
            relation=relation,
            callees=asked.get("callees", False),
            companions=asked.get("everything", False),
            limit=limit,
            offset=offset,
        )

    def text(self, answer: XrefAnswer) -> str:
        return xref_compact_text(answer, MORE, _EVERYTHING)

    def subject(self, answer: XrefAnswer) -> str:
        return answer.written

    def names(self, answer: XrefAnswer) -> list[str]:
        callees = self.arguments.get("callees", False)
        packages = (use.callee_package if callees else use.caller_package for use in answer.references)
        return [package or "no package" for package in packages]

    def counts(self, index: Index) -> Counter[str]:
        asked = self.arguments
        counts = index.xref_by_package(
            asked["name"],
            asked.get("package", PACKAGE),
            relation=asked.get("relation"),
            callees=asked.get("callees", False),
            companions=asked.get("everything", False),
        )
        return Counter({package or "no package": number for package, number in counts.items()})

    def shorter(self, answer: XrefAnswer, most: int) -> XrefAnswer:
        return replace(answer, references=[replace(use, text=None) for use in answer.references[:most]])

    def lacking(self, _: XrefAnswer) -> str:
        return "The source lines were"


def find_references(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer find_references."""
    relation, callees = arguments.get("relation"), arguments.get("callees", False)
    if arguments.get("everything") and not callees:
        return None, "everything is about what the symbol uses: give callees=true too, or leave it out."
    if relation == "specializes" and "depth" in arguments:
        return None, "With relation=specializes, leave out depth: nothing specializes on methods."
    if "depth" in arguments:
        return _tree(arguments, relation, callees)
    return _References(arguments).reply()


def _tree(arguments: Mapping[str, Any], relation: str | None, callees: bool) -> Reply | tuple[None, str]:
    if "offset" in arguments:
        return None, "With depth, leave out offset: it is for lists."
    budget = budget_of(arguments)
    with this_call().index() as index:
        # A tree that is too long is asked for again, with fewer children per node.
        limit = arguments.get("limit", TREE_LIMIT)

        def grown(most: int) -> Reply:
            answer = index.xref_tree(
                arguments["name"],
                arguments.get("package", PACKAGE),
                relation=relation,
                callees=callees,
                companions=arguments.get("everything", False),
                beyond=arguments.get("everything", False),
                depth=arguments["depth"],
                limit=most,
            )
            if isinstance(answer, NotFound):
                return not_found(answer, budget, arguments["name"])
            notes = [] if most == limit else [f"Shortened to limit={most} to stay within max_chars."]
            return Reply(with_guess(answer, xref_tree_text(answer, _EVERYTHING)), answer, notes)

        limits = [limit, *(most for most in (5, 3, 2, 1) if most < (limit or 6))]
        return fitting([partial(grown, most) for most in limits], budget)
