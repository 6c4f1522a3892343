"""The answer of describe for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...index.shown import shown_name
from ...syntax.printed import lower_symbols
from .answer import DescribeAnswer
from .further import further_lines


def people_text(answer: DescribeAnswer, upcase: Callable[[str], str], folder: Path) -> str:
    """Return what the name is, how it is called, its documentation and place, then all else that is known.

    Names are as one writes them, and a place below ``folder`` is relative to it, as editors open it.
    """
    lines = [f"{shown_name(answer.written)}  {_what(answer)}"]
    if answer.arglist is not None:
        lines.append(f"  {_call(answer, upcase)}")
    if answer.value is not None:
        lines.append(f"  Value: {_indented(answer.value)}")
    if answer.documentation is not None:
        lines += ["", f"    {_indented(answer.documentation.rstrip())}", ""]
    if answer.path is not None or answer.recorded_path is not None:
        lines.append(f"  {_place(answer, folder)}")
    return "\n".join([*lines, *further_lines(answer, lambda text: lower_symbols(text, upcase))])


def _what(answer: DescribeAnswer) -> str:
    kinds = ", ".join(answer.kinds) or answer.type
    return f"{kinds}, {'exported' if answer.exported_from else 'internal'}"


def _call(answer: DescribeAnswer, upcase: Callable[[str], str]) -> str:
    arglist = lower_symbols(shown_name(answer.arglist or ""), upcase)
    inner = arglist[1:-1] if arglist.startswith("(") else f". {arglist}"
    return f"({' '.join(filter(None, (shown_name(answer.written).rpartition(':')[2], inner)))})"


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _place(answer: DescribeAnswer, folder: Path) -> str:
    place = shown_name(answer.path or answer.recorded_path or "")
    if answer.path is not None and Path(answer.path).is_relative_to(folder):
        place = shown_name(str(Path(answer.path).relative_to(folder)))
    parts = (place, answer.line, answer.column if answer.line is not None else None)
    return ":".join(str(part) for part in parts if part is not None)
