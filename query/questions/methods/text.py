"""The answer of methods as text for people; pure."""

from __future__ import annotations

from ...index.sentence import first_sentence
from ...index.shown import counted, shown_name
from ..paging import rest_line
from .answer import MethodsAnswer, ReachedMethod


def methods_text(answer: MethodsAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of methods: the call, then a line for each method that it reaches.

    ``more`` says how to get the methods that a limit cut off, as in apropos_text.
    """
    on = "" if answer.on is None else f" on ({shown_name(' '.join(answer.on))})"
    lines = [f"{shown_name(answer.written)}{on}: {number_of(answer)}"]
    if answer.arglist is not None:
        lines.append(f"  Arglist: {shown_name(answer.arglist)}")
    if len(answer.argument_precedence) > 1:
        lines.append(f"  Decided by: {shown_name(', '.join(answer.argument_precedence))}")
    lines += [f"  {_line(one)}" for one in answer.methods]
    lines += [f"  {line}" for line in rest_line(answer.methods, answer.total, answer.offset, more)]
    return "\n".join(lines)


def number_of(answer: MethodsAnswer) -> str:
    """Return how many methods there are, in words."""
    if not answer.total:
        return "no methods" if answer.on is None else "no applicable method"
    return counted(answer.total, "method")


def _line(one: ReachedMethod) -> str:
    other = one.qualifiers if one.role == "primary" else None
    heading = " ".join(part for part in (one.role, other, one.specializers or "()") if part)
    place = ":".join(str(part) for part in (one.path, one.line, one.column) if part is not None)
    parts = (
        heading,
        "if EQL" if one.possibly else "",
        place,
        first_sentence(one.documentation) if one.documentation else "",
    )
    return shown_name("  ".join(part for part in parts if part))
