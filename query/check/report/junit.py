"""Findings as JUnit XML: a test suite a file, a failed test case a finding."""

from __future__ import annotations

import re
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from ..findings import Finding, Outcome
from .lines import line, said

# Characters that XML 1.0 cannot hold.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(outcome: Outcome) -> str:
    """The outcome as JUnit's XML, without times and dates, so that the same check gives the same text."""
    suites = [
        _suite(path, list(findings)) for path, findings in groupby(outcome.findings, lambda one: one.path)
    ]
    suites += [_unchecked(path, why) for path, why in sorted(outcome.unreadable.items())]
    if not suites:
        suites = [
            '  <testsuite name="oblist check" tests="1" failures="0" errors="0">\n'
            '    <testcase name="no findings" classname="oblist"/>\n  </testsuite>'
        ]
    tests = len(outcome.findings) + len(outcome.unreadable) or 1
    head = (
        f'<testsuites name="oblist check" tests="{tests}" failures="{len(outcome.findings)}" '
        f'errors="{len(outcome.unreadable)}">'
    )
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>"])


def _suite(path: str, findings: list[Finding]) -> str:
    count = len(findings)
    lines = [f'  <testsuite name={_quoted(path)} tests="{count}" failures="{count}" errors="0">']
    for one in findings:
        name = _quoted(f"{one.rule} at {one.line}:{one.column}")
        told = f"type={_quoted(one.rule)} message={_quoted(said(one))}"
        lines += [
            f"    <testcase name={name} classname={_quoted(path)}>",
            f"      <failure {told}>{_text(line(one))}</failure>",
            "    </testcase>",
        ]
    return "\n".join([*lines, "  </testsuite>"])


def _unchecked(path: str, why: str) -> str:
    return (
        f'  <testsuite name={_quoted(path)} tests="1" failures="0" errors="1">\n'
        f'    <testcase name="reading" classname={_quoted(path)}>\n'
        f'      <error type="unreadable" message={_quoted(why)}/>\n'
        "    </testcase>\n  </testsuite>"
    )


def _text(text: str) -> str:
    return escape(_FORBIDDEN.sub("?", text))


def _quoted(text: str) -> str:
    return quoteattr(_FORBIDDEN.sub("?", text))
