"""Formats the answer of diff as text, or as Markdown for a changelog; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..index.shown import counted, shown_name
from .answer import ChangeAnswer, DiffAnswer, SystemStep

HEADINGS = {"major": "Breaking", "minor": "Compatible", "patch": "No effect on callers"}
_WIDTH = 32
_BACKTICKS = re.compile(r"`+")


def diff_text(answer: DiffAnswer, more: str = "--limit 0 shows all", offset: int = 0) -> str:
    """The changes by their effect on users of the API, then the versions of systems.

    ``more`` says how to get changes that are not shown, with ``{offset}`` for the next offset; those shown
    come after ``offset`` others.
    """
    lines = [summary(answer)]
    for step, heading in HEADINGS.items():
        changes = [one for one in answer.changes if one.step == step]
        if changes:
            lines += ["", heading]
            for change in changes:
                lines += _lines(change)
    if (rest := answer.total - offset - len(answer.changes)) > 0:
        lines += ["", f"... and {rest} more: {more.format(offset=offset + len(answer.changes))}"]
    systems = [one for one in answer.systems if one.step != "none" or one.enough is False]
    if systems:
        lines += ["", *map(system_line, systems)]
    return "\n".join(lines)


def summary(answer: DiffAnswer) -> str:
    """The number of changes, and the version step that they require."""
    packages = counted(len(answer.packages), "package")
    if not answer.total:
        return f"No change in the exported API of {packages}."
    compatible = answer.total - answer.breaking
    return (
        f"{counted(answer.total, 'change')} in the exported API of {packages}: "
        f"{answer.breaking} breaking, {compatible} compatible. Version step: {answer.step}."
    )


def _lines(change: ChangeAnswer) -> Iterator[str]:
    yield f"  {shown_name(change.written):<{_WIDTH}} {shown_name(change.message)}"
    if change.change in SHOWN_BOTH and change.old != change.new:
        yield f"  {'':<{_WIDTH}}   {shortened(change.old)} -> {shortened(change.new)}"
    if change.also:
        yield f"  {'':<{_WIDTH}}   also: {', '.join(map(shown_name, change.also))}"


# Changes whose message is not complete without the lambda lists, superclasses or values.
SHOWN_BOTH = {
    *("required-argument-added", "argument-made-required", "argument-made-optional", "argument-removed"),
    *("argument-shape", "arguments-reordered", "argument-renamed", "optional-added", "optional-removed"),
    *("rest-added", "rest-removed", "keyword-added", "keyword-removed", "keyword-unnamed", "lambda-list"),
    *("other-keys-allowed", "other-keys-refused", "superclass-removed", "superclass-added"),
    *("superclass-order", "value", "initform", "slot-allocation"),
}
_MOST_SHOWN = 160


def shortened(text: str | None) -> str:
    """An old or a new lambda list, type or value; one that is very long ends with dots."""
    text = shown_name(text) if text else "nothing"
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]} ..."


def system_line(system: SystemStep) -> str:
    """The line that says whether a system's new version is high enough for its changes."""
    if system.only_in is not None:
        return f"{system.name} is only in the {system.only_in} index (version step: {system.step})"
    if not (system.old_version or system.new_version):
        return f"{system.name} has no version; its changes require a {system.step} step"
    text = f"{system.name}: {system.old_version or 'no version'} -> {system.new_version or 'no version'}"
    if system.enough is False:
        return f"{text}, but its changes require {system.needed_version} ({system.step})"
    if system.enough:
        return f"{text} is high enough ({system.step})"
    needed = f", so at least {system.needed_version}" if system.needed_version else ""
    return f"{text}: {system.step}{needed}"


# The headings of a changelog (keepachangelog.com), breaking changes first.
_SECTIONS = ("Breaking changes", "Added", "Deprecated", "Changed", "Documentation")


def diff_markdown(answer: DiffAnswer) -> str:
    """The changes as sections of a changelog, ready to be edited."""
    sections: dict[str, list[str]] = {section: [] for section in _SECTIONS}
    for change in answer.changes:
        sections[_section(change)].append(_bullet(change))
    lines = [summary(answer)]
    for section, bullets in sections.items():
        if bullets:
            lines += ["", f"### {section}", "", *bullets]
    if len(answer.changes) < answer.total:
        lines += ["", f"... and {answer.total - len(answer.changes)} more."]
    return "\n".join(lines)


def _section(change: ChangeAnswer) -> str:
    if change.breaking:
        return "Breaking changes"
    if change.change == "deprecated":
        return "Deprecated"
    if change.change in ("documentation", "slot-documentation"):
        return "Documentation"
    return "Added" if change.step == "minor" else "Changed"


def _bullet(change: ChangeAnswer) -> str:
    text = f"- {_code(change.written)}: {_escaped(change.message)}"
    if change.change in SHOWN_BOTH and change.old != change.new:
        text += f" ({_code(shortened(change.old))} → {_code(shortened(change.new))})"
    elif change.change == "added" and change.new:
        text += f" {_code(shortened(change.new))}"
    return text + (f"; also {', '.join(map(_code, change.also))}" if change.also else "")


def _code(text: str) -> str:
    """A code span with a fence longer than any run of backticks in the text (CommonMark 6.1)."""
    text = shown_name(text)
    fence = "`" * (max(map(len, _BACKTICKS.findall(text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _escaped(text: str) -> str:
    """The text with Markdown's markup escaped: Lisp names are full of stars."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in shown_name(text))
