"""The command ``problems``."""

from __future__ import annotations

from functools import partial

from ...terminal.opening import opened
from ...terminal.printing import finish, lazily
from ...terminal.question_command import ask, asks
from .parameters import ProblemsParameters
from .text import problems_text


@asks(ProblemsParameters, seen_from=False)
def problems(asked: ProblemsParameters, path: str | None, as_json: bool) -> None:
    """List what could not be loaded, read or placed when the index was built.

    The problems of the project come first, then those of its dependencies. Those of SBCL's own
    sources, which every index has, are only counted.
    """
    with opened(path) as index:
        answer = ask(index, asked)
    people = lazily(".questions.problems.people:problems_people", everything=asked.everything)
    finish(answer, as_json, partial(problems_text, everything=asked.everything), people)
