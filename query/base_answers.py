"""What all answers are made with, and the negative one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def doc(text: str, **options: Any) -> Any:
    """A field of an answer, with the description that docs/answers.md shows."""
    return field(metadata={"doc": text}, **options)


@dataclass(frozen=True, slots=True)
class NotFound:
    """A negative answer: the question was understood, and this is why there is nothing."""

    error: str = doc("package-not-found, symbol-not-found, invalid-name or invalid-type")
    message: str = doc("the text contract's message")
    reason: str | None = doc("why, in a sentence")
    suggestions: list[str] = doc("names to try instead, as one types them")
