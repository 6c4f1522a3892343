"""The answer of definition as Markdown; pure."""

from __future__ import annotations

import re

from ...index.not_found import NotFound
from ...index.shown import shown_name
from .answer import DefinitionTextAnswer

_BACKTICKS = re.compile("`+")


def definition_text(answer: DefinitionTextAnswer | NotFound, typed: str, *, contexts: bool = False) -> str:
    """Return one name's answer under its own heading; ``typed`` is the name as typed.

    With ``contexts``, the heading is the name alone, and packages are called contexts, as others do.
    """
    if isinstance(answer, NotFound):
        heading = typed.rpartition(":")[2] if contexts else typed
        return "\n".join([f"# {shown_name(heading)}", "", *_error(answer, shown_name(typed))])
    heading = answer.heading if answer.seen_from is None else answer.written
    lines = [f"# {shown_name(answer.name if contexts else heading)}", ""]
    if not answer.total:
        return "\n".join([*lines, "No definitions found"])
    body = answer.text
    if answer.truncated:
        body += f"\n... [truncated, showing {_shown(answer)}]"
    lines += ["## Definition", "", _fenced(body, "lisp")]
    if answer.packages is not None:
        import json

        shown = json.dumps(answer.packages, indent=2, ensure_ascii=False)
        lines += ["", "## Contexts" if contexts else "## Packages", "", _fenced(shown, "json")]
    return "\n".join(lines)


def _shown(answer: DefinitionTextAnswer) -> str:
    """How much of the text is shown."""
    if answer.characters is not None:
        return f"{len(answer.text)}/{answer.characters} characters"
    return f"{len(answer.text)} characters: {len(answer.definitions)}/{answer.total} definitions"


def _fenced(text: str, language: str) -> str:
    """Put ``text`` in a fence that is longer than any run of backticks in it."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _error(answer: NotFound, typed: str) -> list[str]:
    """Return the error, then the reason, then names to try instead."""
    if answer.error == "invalid-name":
        lines = [f'Error: Invalid symbol name "{typed}"']
    elif answer.error == "invalid-query":  # the symbol is there
        lines = [f"Error: {answer.message}"]
    else:
        lines = [f'Error: Symbol "{typed}" does not exist']
        if answer.error == "package-not-found":
            lines.append(f"{answer.message}.")
    if answer.reason:
        lines.append(answer.reason)
    if answer.suggestions:
        lines.append(f"Did you mean: {', '.join(answer.suggestions)}?")
    if answer.elsewhere:
        lines.append(answer.elsewhere)
    return lines
