"""The handler of macro_definition: what a macro makes, from the index alone."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from ....index.not_found import NotFound
from ....questions.definition.parameters import MAX_LENGTH
from ....questions.definition.text import definition_text
from ....questions.examples.text import examples_text
from ....syntax.lexemes import lexemes
from ...budget import budget_of, not_found, whole_lines
from ...running.call import this_call

ANSWERS = ()
_MOST_EXAMPLES = 3
_ROOM = 0.75  # of the budget, for the definition


def macro_definition(arguments: Mapping[str, Any]) -> str | tuple[None, str]:
    """Answer macro_definition with the text of the macro, and forms of the index that use it."""
    name = _operator(arguments["form"])
    if name is None:
        return (
            None,
            "Parameter form: give a form that begins with the name of a macro, such as (when-let (x y) z).",
        )
    budget, package = budget_of(arguments), arguments["package"]
    with this_call().index() as index:
        described = index.describe(name, package, limit=1)
        if isinstance(described, NotFound):
            return not_found(described, budget, name).text
        if described.type != "macro":
            return (
                None,
                f"{described.written} is not a macro but a {described.type}, so it has no expansion.",
            )
        length = min(MAX_LENGTH, int(budget * _ROOM))
        definition = index.definition(name, package, max_length=length)
        examples = index.examples(name, package, limit=_MOST_EXAMPLES)
    parts = [definition_text(definition, name)]
    if not isinstance(examples, NotFound) and examples.examples:
        parts.append(examples_text(examples))
    return whole_lines("\n\n".join(parts), budget)


def _operator(form: str) -> str | None:
    """The name at the beginning of the form, or the whole text if it is a name."""
    found = list(islice(lexemes(form), 2))
    if found and found[0].kind == "open":
        found.pop(0)
    return found[0].text if found and found[0].kind == "symbol" else None
