"""Findings as text, JSON and GitHub annotations; SARIF and JUnit have modules of their own."""

from __future__ import annotations

from ..findings import Outcome, SourceFinding
from .lines import line, said

_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}
_WORDS = {"error": "errors", "warning": "warnings", "info": "remarks"}


def report(outcome: Outcome, shape: str) -> str:
    """The outcome in the format ``shape``: text, json, github, sarif or junit; it may be empty."""
    if shape == "sarif":
        from .sarif import sarif_text

        return sarif_text(outcome)
    if shape == "junit":
        from .junit import junit_text

        return junit_text(outcome)
    if shape == "json":
        return _json(outcome)
    if shape == "github":
        return "\n".join(map(_annotation, outcome.findings))
    return "\n".join([*map(line, outcome.findings), _summary(outcome)])


def _summary(outcome: Outcome) -> str:
    counts = [
        (word, sum(one.severity == severity for one in outcome.findings)) for severity, word in _WORDS.items()
    ]
    told = (
        ", ".join(f"{count} {word if count != 1 else word[:-1]}" for word, count in counts if count)
        or "no findings"
    )
    files = "1 file" if outcome.files == 1 else f"{outcome.files} files"
    silenced = f" ({outcome.suppressed} silenced)" if outcome.suppressed else ""
    return f"{told} in {files}{silenced}"


def _json(outcome: Outcome) -> str:
    import orjson

    findings = [
        {
            "path": one.path,
            "line": one.line,
            "column": one.column,
            "length": one.length,
            "severity": one.severity,
            "rule": one.rule,
            "message": one.message,
            "suggestions": list(one.suggestions),
        }
        for one in outcome.findings
    ]
    told = {
        "findings": findings,
        "files": outcome.files,
        "calls": outcome.calls,
        "symbols": outcome.symbols,
        "silenced": outcome.suppressed,
        "unreadable": outcome.unreadable,
    }
    return orjson.dumps(_without_surrogates(told), option=orjson.OPT_INDENT_2).decode()


def _without_surrogates(told: object) -> object:
    """``told`` with lone surrogates escaped: a path may contain bytes that are not UTF-8."""
    if isinstance(told, str):
        return told.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(told, list):
        return [_without_surrogates(one) for one in told]
    if isinstance(told, dict):
        return {_without_surrogates(key): _without_surrogates(value) for key, value in told.items()}
    return told


def _annotation(finding: SourceFinding) -> str:
    """A workflow command of GitHub Actions, which shows the finding next to the line."""
    end = finding.column + finding.length
    properties = {
        "file": finding.path,
        "line": str(finding.line),
        "col": str(finding.column),
        "endColumn": str(end),
        "title": finding.rule,
    }
    told = ",".join(f"{name}={_escaped(value, ',:')}" for name, value in properties.items())
    return f"::{_GITHUB[finding.severity]} {told}::{_escaped(said(finding), '')}"


def _escaped(text: str, also: str) -> str:
    for char in "%\r\n" + also:
        text = text.replace(char, f"%{ord(char):02X}")
    return text
