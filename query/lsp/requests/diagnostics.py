"""Diagnostics: what ``oblist check`` finds in the present text of a document."""

from __future__ import annotations

from pathlib import Path

from lsprotocol.types import Diagnostic, DiagnosticSeverity, DiagnosticTag, Range

from ...check.elsewhere import with_elsewhere
from ...check.errors import CheckError
from ...check.findings import SourceFinding
from ...check.report.lines import full_message
from ...check.run import Check
from ...check.settings import Settings, find_settings, read_settings
from ...check.text.places import Lines as CheckedLines
from ..documents.lines import Lines
from ..indexed.project import Project

_SEVERITIES = {
    "error": DiagnosticSeverity.Error,
    "warning": DiagnosticSeverity.Warning,
    "info": DiagnosticSeverity.Information,
}
SOURCE = "oblist"
_BOM = "\ufeff"


def findings(project: Project, path: str, text: str) -> list[SourceFinding]:
    """What the checker finds in ``text``, the present content of the file at ``path``.

    A fault in the settings, and why the file could not be checked, are findings, too. Raises the error of an
    unusable index, and InterruptedQuestionError when the project is closed meanwhile.
    """
    try:
        found = find_settings(Path(path).parent)
        settings = read_settings(found) if found is not None else Settings(Path(path).parent)
        texts = {path: text.removeprefix(_BOM)}
        with project.for_checks() as reading:
            reading.reopen_if_replaced()
            check = Check(reading.path, settings, 1, _quietly, texts=texts, reading=reading)
            outcome = check.run([path])
    except CheckError as error:
        return [SourceFinding(path, 1, 1, "settings", str(error))]
    unread = [
        SourceFinding(path, 1, 1, "unreadable", f"This was not checked: {why}.")
        for why in outcome.unreadable.values()
    ]
    return [*unread, *with_elsewhere(outcome.findings, None)]


def _quietly(_doing: str, _done: int, _total: int) -> None:
    """Show no progress: nobody waits."""


def diagnostics(found: list[SourceFinding], lines: Lines) -> list[Diagnostic]:
    """The findings as a client shows them, at their places in the checked text."""
    checked = CheckedLines(lines.text)
    return [
        Diagnostic(
            range=_range(one, lines, checked),
            message=full_message(one),
            severity=_SEVERITIES.get(one.severity, DiagnosticSeverity.Warning),
            code=one.rule,
            source=SOURCE,
            tags=[DiagnosticTag.Deprecated] if one.rule == "deprecated" else None,
        )
        for one in found
    ]


def _range(finding: SourceFinding, lines: Lines, checked: CheckedLines) -> Range:
    line = min(finding.line, len(checked))
    start = checked.start(line) + finding.column - 1
    if lines.text.startswith(_BOM) and line == 1:
        start += 1
    return lines.range(start, start + max(1, finding.length))
