"""Findings as SARIF 2.1.0, the OASIS Static Analysis Results Interchange Format."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from ..findings import CheckOutcome, SourceFinding
from ..rules.table import RULES
from .lines import full_message, section

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


class ReportedRule(NamedTuple):
    """A rule as a log has it: its name, what it finds, its severity and where it is explained."""

    name: str
    description: str
    severity: str
    explained: str


def sarif_text(outcome: CheckOutcome, rules: Sequence[ReportedRule] | None = None) -> str:
    """The outcome as a SARIF log with one run; the ``rules`` are those of the checker if none are given."""
    if rules is None:
        checked = RULES.values()
        rules = [ReportedRule(one.name, one.description, one.severity, section(one.name)) for one in checked]
    numbers = {rule.name: number for number, rule in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "oblist",
                "version": version("oblist"),
                "rules": [
                    {
                        "id": rule.name,
                        "help": {"text": f"See {rule.explained}."},
                        "shortDescription": {"text": rule.description},
                        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
                    }
                    for rule in rules
                ],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not outcome.unreadable,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": f"{path} was not checked: {why}"}}
                    for path, why in sorted(outcome.unreadable.items())
                ]
                + [
                    {"level": "note", "message": {"text": f"not checked: {one.message}"}}
                    for one in outcome.not_checked
                ],
            }
        ],
        "results": [_result(one, numbers) for one in outcome.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _result(finding: SourceFinding, numbers: dict[str, int]) -> dict[str, object]:
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endColumn": finding.column + finding.length,
    }
    return {
        "ruleId": finding.rule,
        "ruleIndex": numbers[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": full_message(finding)},
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": _uri(finding.path)}, "region": region}}
        ],
        "partialFingerprints": {"oblist/v1": _fingerprint(finding)},
    }


def _uri(path: str) -> str:
    """The path as a relative reference if it is relative, else as a file URI."""
    written = quote(path.removeprefix("./"), errors="surrogateescape")
    return f"file://{written}" if Path(path).is_absolute() else written


def _fingerprint(finding: SourceFinding) -> str:
    """A fingerprint that stays the same when lines move."""
    identity = "\0".join((finding.path, finding.rule, finding.message))
    return hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()[:32]
