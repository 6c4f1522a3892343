"""Findings as JUnit XML: each file is a test suite, each finding a failed test case."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import groupby

from ..findings import CheckOutcome, SourceFinding
from .lines import full_message, line

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
# Characters that XML 1.0 does not allow, but ElementTree writes.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(outcome: CheckOutcome) -> str:
    """The outcome as JUnit XML, without times and dates, so that the same check gives the same text."""
    root = ET.Element("testsuites")
    for path, findings in groupby(outcome.findings, lambda one: one.path):
        _add_findings(root, path, list(findings))
    for path, why in sorted(outcome.unreadable.items()):
        _add_unreadable(root, path, why)
    if not len(root):
        suite = _add(root, "testsuite", name="oblist check", **_counts(1, 0, 0))
        _add(suite, "testcase", name="no findings", classname="oblist")
    failures, errors, skipped = len(outcome.findings), len(outcome.unreadable), len(outcome.not_checked)
    if skipped:
        suite = _add(root, "testsuite", name="not checked", **_counts(skipped, 0, 0), skipped=str(skipped))
        for one in outcome.not_checked:
            case = _add(suite, "testcase", name=one.reason, classname="oblist")
            _add(case, "skipped", message=one.message)
    tests = (failures + errors or 1) + skipped
    root.attrib |= {"name": "oblist check", **_counts(tests, failures, errors), "skipped": str(skipped)}
    ET.indent(root)
    return _DECLARATION + ET.tostring(root, encoding="unicode")


def _add_findings(root: ET.Element, path: str, findings: Sequence[SourceFinding]) -> None:
    count = len(findings)
    suite = _add(root, "testsuite", name=path, **_counts(count, count, 0))
    for one in findings:
        case = _add(suite, "testcase", name=f"{one.rule} at {one.line}:{one.column}", classname=path)
        _add(case, "failure", type=one.rule, message=full_message(one)).text = _legal(line(one))


def _add_unreadable(root: ET.Element, path: str, why: str) -> None:
    suite = _add(root, "testsuite", name=path, **_counts(1, 0, 1))
    case = _add(suite, "testcase", name="reading", classname=path)
    _add(case, "error", type="unreadable", message=why)


def _counts(tests: int, failures: int, errors: int) -> dict[str, str]:
    return {"tests": str(tests), "failures": str(failures), "errors": str(errors)}


def _add(parent: ET.Element, tag: str, /, **attributes: str) -> ET.Element:
    """Add an element to ``parent``, and return it."""
    return ET.SubElement(parent, tag, {name: _legal(value) for name, value in attributes.items()})


def _legal(text: str) -> str:
    return _FORBIDDEN.sub("?", text)
