"""Answers -> the contract's text (DESIGN, section 9) and JSON; pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .apropos_answers import AproposAnswer
    from .base_answers import NotFound
    from .describe_answers import DescribeAnswer
    from .info_answers import IndexInformation


def describe_text(answer: DescribeAnswer) -> str:
    """The text of describe: a heading, then Arglist, Value, Documentation, Source as far as known."""
    lines = [f"{shown_name(answer.package)}::{shown_name(answer.name)} [{answer.type.upper()}]"]
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


def apropos_text(answer: AproposAnswer, more: str = "--offset {offset}") -> str:
    """The text of apropos: a count, a blank line, the matches.

    When a limit cut the list, a last line says how many more there are; ``more`` is how to get
    them, with ``{offset}`` for where to go on.
    """
    noun = "symbol" if answer.total == 1 else "symbols"
    lines = [f"Found {answer.total} {noun} matching '{shown_name(answer.pattern)}':", ""]
    lines += [
        f"  {shown_name(match.package)}::{shown_name(match.name)} [{match.type.upper()}]"
        for match in answer.matches
    ]
    lines += rest_line(answer.matches, answer.total, answer.offset, more)
    return "\n".join(lines)


def rest_line(shown: Sequence[object], total: int, offset: int, more: str) -> list[str]:
    """The line that says how many of ``total`` come after what is ``shown``, if any do.

    ``more`` is how to get them, with ``{offset}`` for where to go on.
    """
    end = offset + len(shown)
    return [f"... and {total - end} more: {more.format(offset=end)}"] if shown and end < total else []


def not_found_text(answer: NotFound) -> str:
    """The contract's message, then the reason and what to try instead."""
    lines = [answer.message]
    if answer.reason:
        lines.append(answer.reason)
    if answer.suggestions and answer.error != "invalid-type":
        lines.append(f"Did you mean: {', '.join(answer.suggestions)}?")
    return "\n".join(lines)


def information_text(answer: IndexInformation) -> str:
    """What an index holds, one fact a line."""
    advice = "  (a rebuild with `oblist index` would add to it)" if answer.rebuild_advised else ""
    facts = [
        ("index", answer.path),
        ("size", f"{answer.size / 1e6:.1f} MB"),
        ("format", f"{answer.format}, feature {answer.feature}{advice}"),
        ("built", f"{answer.built} by oblist {answer.oblist}: {answer.command}"),
        ("image", f"SBCL {answer.sbcl} on {answer.machine}"),
        ("systems", ", ".join(answer.systems) or "none: SBCL itself"),
        ("needing", ", ".join(answer.dependencies) or "no others"),
        ("packages", f"{answer.packages:,}"),
        ("symbols", f"{answer.symbols:,}"),
        ("definitions", f"{answer.definitions:,}"),
        ("references", f"{answer.references:,}"),
        ("problems", f"{answer.problems:,}"),
        *([("broken", shown_name(answer.broken))] if answer.broken else []),
        ("snapshot", f"{answer.snapshot_size / 1e6:.1f} MB" if answer.snapshot_size else "none"),
    ]
    return "\n".join(f"{name:<12} {value}" for name, value in facts)


_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def shown_name(text: str) -> str:
    """A name on one line: control characters as ``\\n`` or ``\\xNN``."""
    if text.isprintable():
        return text
    return "".join(_escaped(char) if unicodedata.category(char) == "Cc" else char for char in text)


def for_terminal(text: str) -> str:
    """Text that does nothing to a terminal: only newlines and tabs are left of what steers one.

    Control characters, bidirectional marks and other invisible ones are shown escaped: the text
    of an index is other people's text.
    """
    if text.isprintable():
        return text
    return "".join(
        _escaped(char) if char not in "\n\t" and unicodedata.category(char) in _UNPRINTABLE else char
        for char in text
    )


def _escaped(char: str) -> str:
    if char == "\n":
        return "\\n"
    code = ord(char)
    return f"\\x{code:02X}" if code < 256 else f"\\u{code:04X}"
