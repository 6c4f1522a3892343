"""A finding on one line, for all reports."""

from __future__ import annotations

from ...index.shown import for_terminal, shown_name
from ..findings import SourceFinding

_DOCUMENTATION = "docs/check.md"


def section(rule: str) -> str:
    """The section of the documentation that explains a rule."""
    return f"{_DOCUMENTATION}#{rule}"


def line(finding: SourceFinding) -> str:
    """A finding on one line, as compilers write it."""
    place = f"{on_a_line(finding.path)}:{finding.line}:{finding.column}"
    return f"{place}: {finding.severity}[{finding.rule}] {on_a_line(full_message(finding))}"


def on_a_line(text: str) -> str:
    """``text`` with line ends and control characters escaped: names and paths come from other people."""
    return for_terminal(shown_name(text)).replace("\t", "\\x09")


def full_message(finding: SourceFinding) -> str:
    """The message of a finding, with what the catalog has and its suggestions."""
    message = (
        f"{finding.message}; in the catalog, {finding.elsewhere}" if finding.elsewhere else finding.message
    )
    if not finding.suggestions:
        return message
    return f"{message}; did you mean {' or '.join(finding.suggestions)}?"
