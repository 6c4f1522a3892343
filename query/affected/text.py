"""What a change affects, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..index.shown import counted
from .answer import AffectedAnswer, ReachedForm
from .frameworks import FRAMEWORKS

_NOTHING = "Nothing has changed."


def affected_text(answer: AffectedAnswer) -> str:
    """All of it, the tests before other code."""
    return "\n".join(_lines(answer))


def test_names(answer: AffectedAnswer) -> list[str]:
    """The tests to run, each once."""
    return [*dict.fromkeys(name for one in answer.tests for name in one.runs)]


def runner_calls(answer: AffectedAnswer, framework: str) -> list[str]:
    """The calls that run the tests of a framework."""
    (chosen,) = (one for one in FRAMEWORKS if one.name == framework)
    names = [*dict.fromkeys(name for one in answer.tests if one.test == framework for name in one.runs)]
    return chosen.calls(names) if names else []


def _lines(answer: AffectedAnswer) -> Iterator[str]:
    if not answer.changed:
        yield _NOTHING
        return
    yield "Changed:"
    for form in answer.changed:
        yield f"  {form.path}:{form.line}: {', '.join(form.names)} ({form.what})"
    for why in answer.everything:
        yield f"The change may affect everything: {why}"
    if answer.looked_up:
        yield "These definitions look names up at run time, so they may use anything:"
        yield from (f"  {one}" for one in answer.looked_up)
    yield f"Tests: {len(answer.tests)} of {answer.tests_total}"
    yield from _forms(answer.tests)
    yield f"Other code: {counted(answer.reached_total, 'form')}"
    yield from _forms(answer.reached)
    if len(answer.reached) < answer.reached_total:
        yield f"  ... and {answer.reached_total - len(answer.reached)} more (--limit 0 shows all)"
    if answer.systems:
        yield f"Systems: {', '.join(answer.systems)}"


def _forms(forms: Iterable[ReachedForm]) -> Iterator[str]:
    for one in forms:
        way = f", via {' <- '.join(one.why)}" if one.why else ""
        yield f"  {one.path}:{one.line}: {one.name}{way}{'' if one.sure else ' (perhaps)'}"
