"""The answer of outline as text; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from ...index.kinds import unusual_macro
from ...index.shown import counted, shown_name
from ..paging import rest_line
from .answer import OutlineAnswer, OutlinedDefinition


def outline_text(answer: OutlineAnswer, more: str = "--offset {offset}") -> str:
    """Return a heading with the counts, then each file with its definitions."""
    lines = list(heading(answer))
    for path, group in groupby(answer.definitions, key=lambda one: one.path):
        lines.append(shown_name(path or "place unknown"))
        lines += [f"  {_line(one)}" for one in group]
    lines += rest_line(answer.definitions, answer.total, answer.offset, more)
    if answer.note:
        lines.append(f"Note: {answer.note}.")
    return "\n".join(lines)


def heading(answer: OutlineAnswer) -> Iterator[str]:
    """Yield the lines before the definitions: how many there are, and what is left out."""
    yield f"{shown_name(answer.part)}: {counted(answer.total, 'definition')}"
    if len(answer.kinds) > 1:
        yield ", ".join(f"{kind} {number:,}" for kind, number in answer.kinds.items())
    if (line := left_out(answer)) is not None:
        yield line
    if answer.reason:
        yield answer.reason


def left_out(answer: OutlineAnswer) -> str | None:
    """The line that says how many definitions are left out, if any are."""
    if not answer.accessors:
        return None
    are = "is" if answer.accessors == 1 else "are"
    return f"{answer.accessors:,} more {are} left out: accessors and others that class definitions make"


def further(one: OutlinedDefinition, lisp: Callable[[str], str] = str) -> Iterator[str]:
    """Yield what is shown of a definition besides its name and kind; ``lisp`` writes printed Lisp."""
    yield from (lisp(part) for part in (one.qualifiers, one.specializers) if part)
    if one.superclasses:
        yield f"({' '.join(one.superclasses)})"
    if one.arglist is not None:
        yield lisp(" ".join(one.arglist.split()))
    if one.kind == "generic-function" and one.defined_by == "defmethod":
        yield "without a defgeneric form"
    if maker := unusual_macro(one.kind, one.defined_by):
        yield f"by {lisp(maker)}"


def _line(one: OutlinedDefinition) -> str:
    return shown_name("  ".join((str(one.line or "?"), one.written, f"[{one.kind}]", *further(one))))
