"""Handlers of the tools that change something: eval_form, load_system, reindex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..answer import EvaluationAnswer, ReindexAnswer
from ..running.call import this_call
from ..vocabulary import Reply

if TYPE_CHECKING:
    from ...values.evaluation import Evaluation

REINDEX_SECONDS = 1800.0
# The tools limit their waits for a turn, for SBCL and for the form themselves; these limits are a backstop.
EVAL_SECONDS = 120.0
LOAD_SECONDS = 720.0
_PACKAGE = "CL-USER"


def eval_form(arguments: Mapping[str, Any]) -> Reply:
    """Answer eval_form with the printed values, or with ``Error: ...``, which is an answer too."""
    call = this_call()
    with call.surroundings.evaluation.evaluator(call) as lent:
        return _reply(
            lent.evaluator.evaluate(arguments["form"], arguments.get("package", _PACKAGE)), lent.note
        )


def load_system(arguments: Mapping[str, Any]) -> Reply:
    """Answer load_system."""
    call = this_call()
    with call.surroundings.evaluation.evaluator(call) as lent:
        return _reply(lent.evaluator.load_system(arguments["system"]), lent.note)


def _reply(outcome: Evaluation, note: str | None) -> Reply:
    notes = [f"{one}." for one in (outcome.note, note) if one]
    return Reply(outcome.text, EvaluationAnswer(outcome.success, outcome.text), notes)


def reindex(_: Mapping[str, Any]) -> Reply | tuple[None, str]:
    """Answer reindex; a failed build leaves the index unchanged."""
    call = this_call()
    outcome = call.surroundings.builds.rebuild(call, REINDEX_SECONDS)
    if not outcome.success:
        return None, f"The index was not built: {outcome.text}"
    path = str(call.surroundings.index_path())
    return Reply(outcome.text, ReindexAnswer(outcome.success, path, outcome.text))
