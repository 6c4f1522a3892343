"""Diagnostics: what ``oblist check`` finds in the present text of a document."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol.types import Diagnostic, DiagnosticSeverity, DiagnosticTag, Range

from ...check.elsewhere import with_elsewhere
from ...check.errors import CheckError
from ...check.findings import SourceFinding
from ...check.fixes import certain_correction, in_case_of
from ...check.report.lines import full_message
from ...check.run import Check
from ...check.settings import Settings, find_settings, read_settings
from ...index.present.lines import TextLines as CheckedLines
from ..documents.lines import DocumentLines
from ..indexed.project import IndexedProject

_SEVERITIES = {
    "error": DiagnosticSeverity.Error,
    "warning": DiagnosticSeverity.Warning,
    "info": DiagnosticSeverity.Information,
}
SOURCE = "oblist"
_BOM = "\ufeff"


class Checked(NamedTuple):
    """The findings by file, and whether the checked text has lost definitions that it had when indexed."""

    findings: dict[str, list[SourceFinding]]
    lost: bool = False


def checked(project: IndexedProject, path: str, text: str, others: Mapping[str, str]) -> Checked:
    """What the checker finds in ``text``, the present content of the file at ``path``.

    ``others`` are the contents of other open documents, by their paths. The findings in other files, open or
    not, are about definitions that ``text`` has lost. A fault in the settings, and why the file could not be
    checked, are findings, too. Raises the error of an unusable index, and InterruptedQuestionError when the
    project is closed meanwhile.
    """
    try:
        found = find_settings(Path(path).parent)
        settings = read_settings(found) if found is not None else Settings(Path(path).parent)
        texts = {one: content.removeprefix(_BOM) for one, content in {**others, path: text}.items()}
        with project.for_checks() as reading:
            reading.reopen_if_replaced()
            check = Check(reading.path, settings, 1, _quietly, texts=texts, reading=reading)
            outcome = check.run([path])
    except CheckError as error:
        return Checked({path: [SourceFinding(path, 1, 1, "settings", str(error))]})
    unread = [
        SourceFinding(path, 1, 1, "unreadable", f"This file was not checked: {why}.")
        for why in outcome.unreadable.values()
    ]
    by_path: dict[str, list[SourceFinding]] = {path: unread}
    for one in with_elsewhere(outcome.findings, None):
        by_path.setdefault(one.path, []).append(one)
    return Checked(by_path, outcome.lost)


def checked_folder(index: Path, folder: Path, texts: Mapping[str, str]) -> dict[str, list[SourceFinding]]:
    """What the checker finds in the files of a folder, by their paths; ``texts`` are those of open documents.

    Raises the error of an unusable index.
    """
    contents = {path: text.removeprefix(_BOM) for path, text in texts.items()}
    try:
        found = find_settings(folder)
        settings = read_settings(found) if found is not None else Settings(folder)
        outcome = Check(index, settings, 1, _quietly, texts=contents).run([str(folder)])
    except CheckError as error:
        return {str(folder): [SourceFinding(str(folder), 1, 1, "settings", str(error))]}
    by_path: dict[str, list[SourceFinding]] = {}
    for one in with_elsewhere(outcome.findings, None):
        by_path.setdefault(one.path, []).append(one)
    return by_path


def _quietly(_doing: str, _done: int, _total: int) -> None:
    """Show no progress: nobody waits."""


def diagnostics(found: list[SourceFinding], lines: DocumentLines) -> list[Diagnostic]:
    """The findings as a client shows them, at their places in the checked text."""
    indexed = CheckedLines(lines.text)
    return [
        Diagnostic(
            range=_range(one, lines, indexed),
            message=full_message(one),
            severity=_SEVERITIES.get(one.severity, DiagnosticSeverity.Warning),
            code=one.rule,
            source=SOURCE,
            tags=[DiagnosticTag.Deprecated] if one.rule == "deprecated" else None,
            data=_corrections(one),
        )
        for one in found
    ]


def _corrections(finding: SourceFinding) -> dict[str, Any] | None:
    """What a code action needs to know: the text at fault, and what may stand there instead."""
    if not finding.written or not finding.suggestions:
        return None
    return {
        "written": finding.written,
        "suggestions": [in_case_of(finding.written, one) for one in finding.suggestions],
        "certain": certain_correction(finding),
    }


def _range(finding: SourceFinding, lines: DocumentLines, checked: CheckedLines) -> Range:
    line = min(finding.line, len(checked))
    start = checked.start(line) + finding.column - 1
    if lines.text.startswith(_BOM) and line == 1:
        start += 1
    return lines.range(start, start + max(1, finding.length))
