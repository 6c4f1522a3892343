"""Handlers of apropos_search, search_documentation, describe_package and index_status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...api import Index
from ...index.not_found import NotFound
from ...questions.apropos.answer import AproposAnswer
from ...questions.apropos.text import apropos_text
from ...questions.info.text import information_text
from ...questions.package.answer import PackageAnswer
from ...questions.package.text import package_text
from ...questions.search.answer import SearchAnswer
from ...questions.search.text import search_text
from ..budget import budget_of, fitting, left_out, most_that_fit, shortened
from ..listing import MORE, Listing
from ..running.call import this_call
from ..vocabulary import Reply

APROPOS_LIMIT = 200
SEARCH_LIMIT = 20
EXPORTS_LIMIT = 200


class _Apropos(Listing[AproposAnswer]):
    limit = APROPOS_LIMIT
    noun = "matches"
    hint = "name a package, a type or a longer pattern, take a lower limit, or a higher max_chars"

    def ask(self, index: Index, limit: int, offset: int) -> AproposAnswer | NotFound:
        asked = self.arguments
        scope = asked.get("scope", "accessible")
        package, kind = asked.get("package"), asked.get("type")
        return index.apropos(asked["pattern"], package, kind, scope=scope, limit=limit, offset=offset)

    def text(self, answer: AproposAnswer) -> str:
        return apropos_text(answer, MORE)

    def notes(self, _: AproposAnswer, shown: AproposAnswer) -> list[str]:
        return [f"{shortened(shown.note)}."] if shown.note else []

    def subject(self, answer: AproposAnswer) -> str:
        return answer.pattern

    def names(self, answer: AproposAnswer) -> list[str]:
        return [match.package for match in answer.matches]

    def shorter(self, answer: AproposAnswer, most: int) -> AproposAnswer:
        return replace(answer, pattern=shortened(answer.pattern), matches=answer.matches[:most])

    def lacking(self, _: AproposAnswer) -> str:
        return ""


def apropos_search(arguments: Mapping[str, Any]) -> Reply:
    """Answer apropos_search."""
    return _Apropos(arguments).reply()


class _Search(Listing[SearchAnswer]):
    limit = SEARCH_LIMIT
    noun = "matches"
    hint = "use more words, take a lower limit, or a higher max_chars"

    def ask(self, index: Index, limit: int, offset: int) -> SearchAnswer | NotFound:
        query, signature = self.arguments.get("query", ""), self.arguments.get("signature")
        if signature:
            query = f"{query} :: {signature.strip().removeprefix('::')}"
        return index.search(query, limit=limit, offset=offset)

    def text(self, answer: SearchAnswer) -> str:
        return search_text(answer, MORE)

    def subject(self, answer: SearchAnswer) -> str:
        return answer.query

    def names(self, answer: SearchAnswer) -> list[str]:
        return [match.package for match in answer.matches]

    def shorter(self, answer: SearchAnswer, most: int) -> SearchAnswer:
        return replace(
            answer,
            query=shortened(answer.query),
            understood=shortened(answer.understood),
            matches=[replace(match, summary=None, why=None) for match in answer.matches[:most]],
        )

    def lacking(self, answer: SearchAnswer) -> str:
        return super().lacking(answer) if answer.matches else ""


def search_documentation(arguments: Mapping[str, Any]) -> Reply:
    """Answer search_documentation."""
    return _Search(arguments).reply()


class _Exports(Listing[PackageAnswer]):
    limit = EXPORTS_LIMIT
    noun = "exports"
    hint = "take a lower limit, a higher max_chars, or apropos_search with this package"

    def ask(self, index: Index, limit: int, offset: int) -> PackageAnswer | NotFound:
        return index.package(self.arguments["name"], limit=limit, offset=offset)

    def text(self, answer: PackageAnswer) -> str:
        return package_text(answer, MORE)

    def heading(self, answer: PackageAnswer) -> str:
        return f"Package {answer.name}: {answer.exports_total} exported symbols"

    def subject(self, answer: PackageAnswer) -> str:
        return answer.name

    def names(self, answer: PackageAnswer) -> list[str]:
        return [export.package for export in answer.exports]

    def shorter(self, answer: PackageAnswer, most: int) -> PackageAnswer:
        exports = [replace(export, summary=None) for export in answer.exports[:most]]
        return replace(answer, documentation=None, exports=exports)


def describe_package(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_package."""
    return _Exports(arguments).reply()


def index_status(arguments: Mapping[str, Any]) -> Reply:
    """Answer index_status."""
    budget = budget_of(arguments)
    call = this_call()
    with call.index() as index:
        answer = index.information()

        def whole() -> Reply:
            return Reply(information_text(answer), answer, call.surroundings.notes())

        def some(most: int) -> Reply:
            shown = replace(
                answer,
                systems=_some(answer.systems, most, "systems"),
                dependencies=_some(answer.dependencies, most, "systems"),
                features=_some(answer.features, most, "features"),
            )
            notes = [
                *call.surroundings.notes(),
                left_out("Names of systems and features were", budget),
            ]
            return Reply(information_text(shown), shown, notes)

        longest = max(len(names) for names in (answer.systems, answer.dependencies, answer.features))
        return fitting([whole, lambda: most_that_fit(some, longest, budget, least=0)], budget)


def _some(names: list[str], most: int, what: str) -> list[str]:
    """The first ``most`` of ``names``, then an item that says how many others were left out."""
    others = len(names) - most
    return names if others <= 0 else [*names[:most], f"{others} {'more ' if most else ''}{what} (left out)"]
