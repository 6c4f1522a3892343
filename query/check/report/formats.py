"""Findings as JSON and GitHub annotations; text, SARIF and JUnit have modules of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..findings import CheckOutcome, SourceFinding
from .lines import full_message, section
from .text import by_rule, text_report

if TYPE_CHECKING:
    from .sarif import ReportedRule

_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}


def report(
    outcome: CheckOutcome,
    shape: str,
    *,
    statistics: bool = False,
    rules: Sequence[ReportedRule] | None = None,
) -> str:
    """The outcome in the format ``shape``: text, json, github, sarif or junit; the result may be empty.

    With ``statistics``, text also has the numbers by rule and of what was judged. ``rules`` are others than
    those of the checker.
    """
    if shape == "sarif":
        from .sarif import sarif_text

        return sarif_text(outcome, rules)
    if shape == "junit":
        from .junit import junit_text

        return junit_text(outcome)
    if shape == "json":
        return _json(outcome)
    if shape == "github":
        return "\n".join(map(_annotation, outcome.findings))
    return text_report(outcome, statistics=statistics)


def _json(outcome: CheckOutcome) -> str:
    import orjson

    findings = [
        {
            "path": one.path,
            "line": one.line,
            "column": one.column,
            "length": one.length,
            "severity": one.severity,
            "rule": one.rule,
            "section": section(one.rule),
            "message": one.message,
            "suggestions": list(one.suggestions),
            "elsewhere": one.elsewhere or None,
        }
        for one in outcome.findings
    ]
    document = {
        "findings": findings,
        "by_rule": by_rule(outcome),
        "files": outcome.files,
        "calls": outcome.calls,
        "symbols": outcome.symbols,
        "silenced": outcome.suppressed,
        "unreadable": outcome.unreadable,
        "incomplete": outcome.incomplete,
        "project_failed": outcome.project_failed,
        "not_checked": [
            {
                "reason": one.reason,
                "message": one.message,
                "systems": list(one.systems),
                "files": list(one.files),
            }
            for one in outcome.not_checked
        ],
    }
    return orjson.dumps(_without_surrogates(document), option=orjson.OPT_INDENT_2).decode()


def _without_surrogates(value: object) -> object:
    """``value`` with lone surrogates escaped: a path may contain bytes that are not UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return value


def _annotation(finding: SourceFinding) -> str:
    """A workflow command of GitHub Actions, which shows the finding next to the line."""
    end = finding.column + finding.length
    properties = {
        "file": finding.path.removeprefix("./"),  # GitHub shows it beside files by their paths from the root
        "line": str(finding.line),
        "col": str(finding.column),
        "endColumn": str(end),
        "title": finding.rule,
    }
    joined = ",".join(f"{name}={_escaped(value, ',:')}" for name, value in properties.items())
    return f"::{_GITHUB[finding.severity]} {joined}::{_escaped(full_message(finding), '')}"


def _escaped(text: str, also: str) -> str:
    for char in "%\r\n" + also:
        text = text.replace(char, f"%{ord(char):02X}")
    return text
