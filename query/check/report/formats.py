"""Findings as text, JSON and GitHub annotations; SARIF and JUnit have modules of their own."""

from __future__ import annotations

from ..findings import Outcome, SourceFinding
from .lines import full_message, line

_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}
_WORDS = {"error": "errors", "warning": "warnings", "info": "remarks"}


def report(outcome: Outcome, shape: str) -> str:
    """The outcome in the format ``shape``: text, json, github, sarif or junit; the result may be empty."""
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
    counted = (
        ", ".join(f"{count} {word if count != 1 else word[:-1]}" for word, count in counts if count)
        or "no findings"
    )
    files = "1 file" if outcome.files == 1 else f"{outcome.files} files"
    silenced = f" ({outcome.suppressed} silenced)" if outcome.suppressed else ""
    return f"{counted} in {files}{silenced}"


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
    document = {
        "findings": findings,
        "files": outcome.files,
        "calls": outcome.calls,
        "symbols": outcome.symbols,
        "silenced": outcome.suppressed,
        "unreadable": outcome.unreadable,
        "incomplete": outcome.incomplete,
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
        "file": finding.path,
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
