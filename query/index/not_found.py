"""The negative answer: the question was understood, but nothing was found."""

from __future__ import annotations

from dataclasses import dataclass

from .answer_field import doc


@dataclass(frozen=True, slots=True)
class NotFound:
    """A negative answer: the question was understood, but nothing was found; this says why."""

    error: str = doc(
        "package-not-found, symbol-not-found, class-not-found, generic-function-not-found, type-not-found, "
        "slot-not-found, part-not-found, system-not-found, release-not-found, term-not-found, "
        "file-not-found, line-not-found, no-text, not-recorded, too-many-classes, invalid-name, "
        "invalid-place, invalid-query or invalid-type"
    )
    message: str = doc("which name was not found, and where")
    reason: str | None = doc("why, in a sentence")
    suggestions: list[str] = doc("names to try instead, as typed in Lisp")
    incomplete: str | None = doc(
        "what did not load, if the answer may be incomplete because of it", default=None
    )
    elsewhere: str | None = doc(
        "what the catalog has under that name, in releases that are not loaded", default=None
    )


def not_found_text(answer: NotFound) -> str:
    """Return the contract's message, then the reason, then names to try instead."""
    lines = [answer.message]
    if answer.reason:
        lines.append(answer.reason)
    if answer.suggestions and answer.error != "invalid-type":
        lines.append(f"Did you mean: {', '.join(answer.suggestions)}?")
    if answer.elsewhere:
        lines.append(answer.elsewhere)
    return "\n".join(lines)
