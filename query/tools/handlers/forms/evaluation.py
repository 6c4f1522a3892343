"""The handlers of eval_form, expand_form and load_system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....expansions import ONCE
from ...answer import EvaluationAnswer
from ...running.call import this_call
from ...vocabulary import Reply

if TYPE_CHECKING:
    from ....values.evaluation import Evaluation

ANSWERS = (EvaluationAnswer,)


def eval_form(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer eval_form with the printed values, or fail with ``Error: ...``."""
    call = this_call()
    with call.surroundings.evaluation.evaluator(call) as lent:
        return _reply(lent.evaluator.evaluate(arguments["form"], arguments["package"]), lent.note)


def expand_form(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer expand_form with the expansion, or fail with ``Error: ...``.

    Where no Lisp can be started, the answer is what the index has of the macro, and what would bring a Lisp.
    """
    call = this_call()
    with call.surroundings.expansion.evaluator(call) as lent:
        form, package = arguments["form"], arguments["package"]
        outcome = lent.evaluator.expand(form, package, arguments.get("how", ONCE))
    if outcome.unstartable:
        from .macros import macro_definition  # nearly always there is one

        told = macro_definition(arguments)
        if isinstance(told, str):
            return Reply(told, EvaluationAnswer(told), [f"{outcome.text.removeprefix('Error: ')}."])
    return _reply(outcome, lent.note)


def load_system(arguments: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer load_system."""
    call = this_call()
    with call.surroundings.evaluation.evaluator(call) as lent:
        return _reply(lent.evaluator.load_system(arguments["system"]), lent.note)


def _reply(outcome: Evaluation, note: str | None) -> Reply | tuple[None, str]:
    notes = [f"{one}." for one in (outcome.note, note) if one]
    if not outcome.success:
        return None, "\n".join([outcome.text, *(f"Note: {one}" for one in notes)])
    return Reply(outcome.text, EvaluationAnswer(outcome.text), notes)
