"""The command ``problems``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from ...terminal.opening import opened
from ...terminal.printing import finish
from ...terminal.question_command import ask, asks
from .parameters import ProblemsParameters
from .text import problems_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View
    from .answer import ProblemsAnswer


@asks(ProblemsParameters, seen_from=False)
def problems(asked: ProblemsParameters, path: str | None, as_json: bool) -> None:
    """List what could not be loaded, read or placed when the index was built.

    The problems of the project come first, then those of its dependencies. Those of SBCL's own
    sources, which every index has, are only counted.
    """

    def people(answer: ProblemsAnswer, view: View) -> Iterable[Line]:
        from .people import problems_people

        return problems_people(answer, view, everything=asked.everything)

    with opened(path) as index:
        answer = ask(index, asked)
    finish(answer, as_json, partial(problems_text, everything=asked.everything), people)
