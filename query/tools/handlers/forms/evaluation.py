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
    """Answer expand_form with the expansion, or fail with ``Error: ...``."""
    call = this_call()
    with call.surroundings.expansion.evaluator(call) as lent:
        form, package = arguments["form"], arguments["package"]
        return _reply(lent.evaluator.expand(form, package, arguments.get("how", ONCE)), lent.note)


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
