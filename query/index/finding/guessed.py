"""The part of an answer that says what a bare name was taken for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import is_dataclass, replace
from typing import Any, TypeVar, cast

from ..answer_field import doc
from ..not_found import NotFound

_Answer = TypeVar("_Answer")
_MISSING = "(status: NIL): "  # the end of the contract's line, and what follows it


def guessed_field() -> str | None:
    """Make the field of an answer that says what names were taken for."""
    found: str | None = doc(
        "a note, if a name typed without a package was not accessible where it was looked up: which symbol "
        "was assumed instead, and what the other candidates are",
        default=None,
    )
    return found


def with_guesses(answer: _Answer, guessed: Sequence[str]) -> _Answer:
    """Return the answer with what names were taken for; an answer without the field stays as it is."""
    if isinstance(answer, NotFound) or not is_dataclass(answer) or not hasattr(answer, "guessed"):
        return answer
    return cast(_Answer, replace(cast(Any, answer), guessed="\n".join(dict.fromkeys(guessed))))


def with_guess(answer: object, text: str) -> str:
    """Return the text of an answer, below the lines that say what its name was taken for, if it was."""
    return "\n".join([*guess_lines(getattr(answer, "guessed", None)), text])


def guess_note(guessed: str) -> str:
    """Return the note for a person, who has seen what was typed: ``taken for a:b; there is also c:b``."""
    return "\n".join(one.partition(_MISSING)[2] or one for one in guessed.splitlines())


def guess_lines(guessed: str | None) -> list[str]:
    """Return the lines that say so: the contract's line of a name that is not found, then the rest."""
    lines = []
    for one in (guessed or "").splitlines():
        missing, found, rest = one.partition(_MISSING)
        lines += [f"{missing}{_MISSING.rstrip(': ')}", f"{rest[:1].upper()}{rest[1:]}."] if found else [one]
    return lines
