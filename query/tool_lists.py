"""What answers the tools that list: apropos_search, search_documentation, describe_package, index_status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from .base_answers import NotFound
from .packages import package_text
from .render import apropos_text, information_text, not_found_text
from .search import search_text
from .tool_budget import DEFAULT_BUDGET, counted, fitting, without_documentation
from .tool_call import this_call
from .tools import Reply

MORE = "call again with offset={offset}"
APROPOS_LIMIT = 200
SEARCH_LIMIT = 20
EXPORTS_LIMIT = 200


def not_found(answer: NotFound) -> Reply:
    """A negative answer: an answer, not a failure."""
    return Reply(not_found_text(answer), answer)


def budget_of(arguments: Mapping[str, Any]) -> int:
    """How many characters the answer may have."""
    return int(arguments.get("max_chars", DEFAULT_BUDGET))


def apropos_search(arguments: Mapping[str, Any]) -> Reply:
    """Answer apropos_search."""
    budget = budget_of(arguments)
    with this_call().index() as index:
        ask = partial(
            index.apropos,
            arguments["pattern"],
            arguments.get("package"),
            arguments.get("type"),
            scope=arguments.get("scope", "accessible"),
        )
        answer = ask(limit=arguments.get("limit", APROPOS_LIMIT), offset=arguments.get("offset", 0))
        if isinstance(answer, NotFound):
            return not_found(answer)

        def whole() -> Reply:
            return Reply(apropos_text(answer, MORE), answer)

        def counts() -> Reply:
            everything = ask(limit=0)
            assert not isinstance(everything, NotFound)
            return counted(
                apropos_text(replace(answer, matches=[])).split("\n")[0],
                arguments["pattern"],
                "matches",
                "package",
                (match.package for match in everything.matches),
                "name a package, a type or a longer pattern, take a lower limit, or a higher max_chars",
                budget,
            )

        return fitting([whole, counts], budget)


def search_documentation(arguments: Mapping[str, Any]) -> Reply:
    """Answer search_documentation."""
    budget = budget_of(arguments)
    with this_call().index() as index:
        ask = partial(index.search, arguments["query"])
        answer = ask(limit=arguments.get("limit", SEARCH_LIMIT), offset=arguments.get("offset", 0))
        if isinstance(answer, NotFound):
            return not_found(answer)

        def whole() -> Reply:
            return Reply(search_text(answer, MORE), answer)

        def bare() -> Reply:
            without = replace(answer, matches=[replace(match, summary=None) for match in answer.matches])
            return without_documentation(Reply(search_text(without, MORE), without), budget)

        def counts() -> Reply:
            everything = ask(limit=0)
            assert not isinstance(everything, NotFound)
            return counted(
                search_text(replace(answer, matches=[])).split("\n")[0],
                arguments["query"],
                "matches",
                "package",
                (match.package for match in everything.matches),
                "use more words, take a lower limit, or a higher max_chars",
                budget,
            )

        return fitting([whole, bare, counts], budget)


def describe_package(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_package."""
    budget = budget_of(arguments)
    with this_call().index() as index:
        ask = partial(index.package, arguments["name"])
        answer = ask(limit=arguments.get("limit", EXPORTS_LIMIT), offset=arguments.get("offset", 0))
        if isinstance(answer, NotFound):
            return not_found(answer)

        def whole() -> Reply:
            return Reply(package_text(answer, MORE), answer)

        def bare() -> Reply:
            exports = [replace(export, summary=None) for export in answer.exports]
            without = replace(answer, documentation=None, exports=exports)
            return without_documentation(Reply(package_text(without, MORE), without), budget)

        def counts() -> Reply:
            everything = ask()
            assert not isinstance(everything, NotFound)
            return counted(
                f"Package {answer.name}: {answer.exports_total} exported symbols",
                answer.name,
                "exports",
                "package",
                (export.package for export in everything.exports),
                "take a lower limit, a higher max_chars, or apropos_search with this package",
                budget,
            )

        return fitting([whole, bare, counts], budget)


def index_status(arguments: Mapping[str, Any]) -> Reply:
    """Answer index_status."""
    call = this_call()
    with call.index() as index:
        answer = index.information()

        def whole() -> Reply:
            return Reply(information_text(answer), answer, call.surroundings.workshop.notes())

        def bare() -> Reply:
            without = replace(answer, systems=[], dependencies=[], features=[])
            total = len(answer.systems) + len(answer.dependencies)
            note = f"The names of {total} systems were left out to stay within max_chars."
            return Reply(information_text(without), without, [*call.surroundings.workshop.notes(), note])

        return fitting([whole, bare], budget_of(arguments))
