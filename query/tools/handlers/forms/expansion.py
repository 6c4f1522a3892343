"""The handlers of expand_form and macro_definition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....expansions import ONCE
from ....index.not_found import NotFound
from ....questions.definition.answer import MAX_LENGTH
from ....questions.definition.text import definition_text
from ....questions.examples.text import examples_text
from ....syntax.lexemes import lexemes
from ...answer import EvaluationAnswer
from ...budget import budget_of, not_found, whole_lines
from ...limits import PACKAGE
from ...running.call import this_call
from ...vocabulary import Reply

ANSWERS = (EvaluationAnswer, NotFound)
_MOST_EXAMPLES = 3
_ROOM = 0.75  # of the budget, for the definition


def expand_form(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer expand_form with the expansion, or fail with ``Error: ...``."""
    call = this_call()
    with call.surroundings.expansion.evaluator(call) as lent:
        form, package = arguments["form"], arguments.get("package", PACKAGE)
        outcome = lent.evaluator.expand(form, package, arguments.get("how", ONCE))
    notes = [f"{one}." for one in (outcome.note, lent.note) if one]
    if not outcome.success:
        return None, "\n".join([outcome.text, *(f"Note: {one}" for one in notes)])
    return Reply(outcome.text, EvaluationAnswer(True, outcome.text), notes)


def macro_definition(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer macro_definition with the text of the macro, and forms of the index that use it."""
    name = _operator(arguments["form"])
    if name is None:
        return (
            None,
            "Parameter form: give a form that begins with the name of a macro, such as (when-let (x y) z).",
        )
    budget, package = budget_of(arguments), arguments.get("package", PACKAGE)
    with this_call().index() as index:
        described = index.describe(name, package, limit=1)
        if isinstance(described, NotFound):
            return not_found(described, budget, name)
        if described.type != "macro":
            return (
                None,
                f"{described.written} is no macro but has type {described.type}: it has no expansion.",
            )
        length = min(MAX_LENGTH, int(budget * _ROOM))
        definition = index.definition(name, package, max_length=length)
        examples = index.examples(name, package, limit=_MOST_EXAMPLES)
    parts = [definition_text(definition, name)]
    if not isinstance(examples, NotFound) and examples.examples:
        parts.append(examples_text(examples))
    text = whole_lines("\n\n".join(parts), budget)
    return Reply(text, EvaluationAnswer(True, text))


def _operator(form: str) -> str | None:
    """The name at the beginning of the form, or the whole text if it is a name."""
    found = [one for one in lexemes(form) if one.kind not in ("comment", "space")][:2]
    if found and found[0].kind == "open":
        found.pop(0)
    return found[0].text if found and found[0].kind == "symbol" else None
