"""The command ``examples``."""

from __future__ import annotations

import sys

from ...index.not_found import NotFound
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened
from ...terminal.printing import finish, lazily
from ...terminal.question_command import ask, asks
from .parameters import ExamplesParameters
from .text import examples_text


@asks(ExamplesParameters)
def examples(asked: ExamplesParameters, path: str | None, as_json: bool) -> None:
    """Show how the function, macro or class NAME is used: short whole forms that differ from each other."""
    with opened(path) as index:
        answer = ask(index, asked)
    people = lazily(".questions.examples.people:examples_people")
    finish(answer, as_json, examples_text, people, asked=asked.name)
    if not isinstance(answer, NotFound) and not answer.examples:
        sys.exit(EXIT_NOT_FOUND)
