"""A finding in a line: what all reports say of it."""

from __future__ import annotations

from ...index.shown import for_terminal, shown_name
from ..findings import SourceFinding


def line(finding: SourceFinding) -> str:
    """A finding in a line, as compilers write it."""
    place = f"{on_a_line(finding.path)}:{finding.line}:{finding.column}"
    return f"{place}: {finding.severity}[{finding.rule}] {on_a_line(said(finding))}"


def on_a_line(text: str) -> str:
    """Names and paths are other people's: they begin no line of their own, and do nothing to a terminal."""
    return for_terminal(shown_name(text)).replace("\t", "\\x09")


def said(finding: SourceFinding) -> str:
    """What is wrong, with what may have been meant."""
    if not finding.suggestions:
        return finding.message
    return f"{finding.message}; did you mean {' or '.join(finding.suggestions)}?"
