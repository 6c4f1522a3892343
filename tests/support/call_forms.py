"""Calls taken apart by SBCL's reader, and the arguments that their functions take according to SBCL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.sbcl import Sbcl
from support.live import read_lines, run_script, write_lines

_SECONDS = 600


@dataclass(frozen=True)
class Call:
    """A call of a function: its text, the places of its items, and the arguments the function takes."""

    text: str
    places: list[tuple[int, int]]
    required: int
    keywords: frozenset[str]

    @property
    def items(self) -> list[str]:
        """The operator and the arguments, as they are written."""
        return [self.text[start:end] for start, end in self.places]


def call_forms(
    sbcl: Sbcl, systems: Sequence[str], questions: Sequence[tuple[str, str, str]], folder: Path
) -> list[Call | None]:
    """The call that each text begins with; None if it does not call the function of that package and name."""
    asked, answered = folder / "call-questions", folder / "call-answers"
    write_lines(asked, questions)
    run_script(sbcl, "call_forms.lisp", systems=systems, seconds=_SECONDS, questions=asked, answers=answered)
    answers = read_lines(answered)
    return [_call(text, *answer) for (text, _, _), answer in zip(questions, answers, strict=True)]


def _call(text: str, places: str | None, required: str | None, keywords: str | None) -> Call | None:
    if places is None or required is None or keywords is None:
        return None
    *edges, end = map(int, places.split())
    pairs = list(zip(edges[::2], edges[1::2], strict=True))
    return Call(text[:end], pairs, int(required), frozenset(keywords.split()))
