"""The answer of describe as text, by the text contract (docs/formats/text.md); pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...index.shown import shown_name
from .answer import DescribeAnswer

if TYPE_CHECKING:
    from .several_answer import AlsoIn


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
    return "\n".join([*lines, *from_and_also(answer)])


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _place(answer: DescribeAnswer) -> str:
    place = answer.recorded_path or ""
    if answer.offset is not None:
        place += f":{answer.offset}"
    if answer.line is not None:
        place += f" (line {answer.line})"
    return place


def from_and_also(answer: Any) -> list[str]:
    """Return the line that says which of several indexes it is from, and which others have the name."""
    if not hasattr(answer, "also_in"):
        return []
    last = f"From: {shown_name(answer.index)}"
    if answer.also_in:
        last += f"; also in: {', '.join(_named(one, answer.written) for one in answer.also_in)}"
    return [last]


def _named(one: AlsoIn, written: str) -> str:
    where = shown_name(one.index) if one.release is None else f"{shown_name(one.release)} in the catalog"
    return where if one.written == written else f"{where} ({shown_name(one.written)})"
