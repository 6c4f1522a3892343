"""The negative answer: the question was understood, and there is nothing."""

from __future__ import annotations

from dataclasses import dataclass

from .answer_field import doc


@dataclass(frozen=True, slots=True)
class NotFound:
    """A negative answer: the question was understood, and this is why there is nothing."""

    error: str = doc("package-not-found, symbol-not-found, invalid-name or invalid-type")
    message: str = doc("the text contract's message")
    reason: str | None = doc("why, in a sentence")
    suggestions: list[str] = doc("names to try instead, as one types them")


def not_found_text(answer: NotFound) -> str:
    """The contract's message, then the reason and what to try instead."""
    lines = [answer.message]
    if answer.reason:
        lines.append(answer.reason)
    if answer.suggestions and answer.error != "invalid-type":
        lines.append(f"Did you mean: {', '.join(answer.suggestions)}?")
    return "\n".join(lines)
