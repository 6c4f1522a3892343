"""The answer of describe as text, by the text contract (docs/text-contract.md); pure."""

from __future__ import annotations

from ...index.shown import shown_name
from .answer import DescribeAnswer


def describe_text(answer: DescribeAnswer) -> str:
    """Return the text of describe: a heading, then Arglist, Value, Documentation, Source as far as known."""
    name = f"{shown_name(answer.package)}::{shown_name(answer.name)}"
    if answer.seen_from is not None:
        name = shown_name(answer.written)
    lines = [f"{name} [{answer.type.upper()}]"]
    if answer.arglist is not None:
        lines.append(f"  Arglist: {shown_name(answer.arglist)}")
    if answer.value is not None:
        lines.append(f"  Value: {_indented(answer.value)}")
    if answer.documentation is not None:
        lines.append("  Documentation:")
        lines.append(f"    {_indented(answer.documentation)}")
    if answer.recorded_path is not None:
        lines.append(f"  Source: {_place(answer)}")
    return "\n".join(lines)


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _place(answer: DescribeAnswer) -> str:
    place = answer.recorded_path or ""
    if answer.offset is not None:
        place += f":{answer.offset}"
    if answer.line is not None:
        place += f" (line {answer.line})"
    return place
