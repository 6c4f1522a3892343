"""A forecast as text, as Markdown, and as the findings that reports of a check take; pure."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..check.findings import SourceFinding
from ..index.shown import counted, shown_name
from .answer import BrokenLine, ForecastAnswer, UnjudgedChange

SORTS = {
    "gone": "A name that the new version does not define or export",
    "kind": "A use that the definition, which is now of another kind, does not allow",
    "type": "An argument of a type that is no longer allowed",
    "superclass": "Code that relies on a superclass that a class no longer has",
    "slot": "A slot that no class has any more",
    "initarg": "An initarg that a class no longer takes",
    "system": "A system that depends on a system that the new version does not have",
    "method": "A method that does not fit its generic function, or that nothing calls",
    "conflict": "A name that two packages, or a package and the library, would both have",
}
"""What each sort of broken line is, except those that are rules of check."""
_MOST_UNJUDGED = 20


def forecast_text(answers: list[ForecastAnswer]) -> str:
    """The forecasts for several libraries, one after the other."""
    return "\n\n".join("\n".join(_lines(one)) for one in answers)


def _lines(answer: ForecastAnswer) -> Iterator[str]:
    yield f"{title(answer)}: {summary(answer)}"
    for one in answer.lines:
        yield f"  {_place(one.path, one.line, one.column)}: {'' if one.breaking else 'note: '}{message(one)}"
    if answer.unjudged:
        yield "Check these changes yourself; the code uses these names:"
        for change in answer.unjudged[:_MOST_UNJUDGED]:
            yield f"  {_unjudged(change)}"
        if (more := len(answer.unjudged) - _MOST_UNJUDGED) > 0:
            yield f"  ... and {more} more (--json lists all)"


def forecast_markdown(answers: list[ForecastAnswer]) -> str:
    """The forecasts as sections for a pull request or the summary of a job."""
    return "\n".join(line for one in answers for line in _section(one)).rstrip()


def _section(answer: ForecastAnswer) -> Iterator[str]:
    yield f"### {title(answer)}"
    yield ""
    yield f"{summary(answer)[0].upper()}{summary(answer)[1:]}"
    if answer.lines:
        yield ""
    for one in answer.lines:
        place = _place(one.path, one.line, one.column)
        yield f"- `{place}` {'' if one.breaking else '(note) '}{message(one)}"
    if answer.unjudged:
        yield ""
        yield "Changes to look at:"
        yield ""
        yield from (f"- {_unjudged(one)}" for one in answer.unjudged[:_MOST_UNJUDGED])
    yield ""


def title(answer: ForecastAnswer) -> str:
    """The library and its versions, and whose code it is about."""
    old, new = answer.old_version or "unknown version", answer.new_version or "unknown version"
    library = f"{shown_name(answer.library)} {old} -> {new}"
    return f"{shown_name(answer.release)} with {library}" if answer.release else library


def summary(answer: ForecastAnswer) -> str:
    """How much breaks, in a sentence."""
    used = f"{counted(answer.uses, 'use')} in {counted(answer.files, 'file')}"
    if not answer.uses:
        return "the code does not use it."
    if not answer.breaking:
        return f"nothing breaks ({used})."
    return f"{counted(answer.breaking, 'place')} {'breaks' if answer.breaking == 1 else 'break'} ({used})."


def message(one: BrokenLine) -> str:
    """What is wrong with a line, and what may be meant instead."""
    text = shown_name(one.message)
    return f"{text}; did you mean {' or '.join(one.suggestions)}?" if one.suggestions else text


def as_findings(answers: list[ForecastAnswer]) -> list[SourceFinding]:
    """The broken lines as those of a check, which reports take."""
    return [
        SourceFinding(
            os.path.relpath(one.path),
            one.line,
            one.column,
            one.sort,
            f"{title(answer)}: {one.message}",
            "error" if one.breaking else "warning",
            length=one.length,
            suggestions=tuple(one.suggestions),
        )
        for answer in answers
        for one in answer.lines
    ]


def _unjudged(one: UnjudgedChange) -> str:
    first = f", first at {_place(one.path, one.line or 1)}" if one.path else ""
    return f"{shown_name(one.written)}: {shown_name(one.message)} ({counted(one.uses, 'use')}{first})"


def _place(path: str, line: int, column: int | None = None) -> str:
    place = f"{shown_name(os.path.relpath(path))}:{line}"
    return place if column is None else f"{place}:{column}"
