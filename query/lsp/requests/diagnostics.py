"""Diagnostics: what ``oblist check`` finds in the present text of a document."""

from __future__ import annotations

from pathlib import Path

from lsprotocol.types import Diagnostic, DiagnosticSeverity, DiagnosticTag, Range

from ...check.errors import CheckError
from ...check.findings import SourceFinding
from ...check.remembering import RememberingReading
from ...check.run import Check
from ...check.settings import Settings, find_settings, read_settings
from ..documents.lines import Lines

_SEVERITIES = {
    "error": DiagnosticSeverity.Error,
    "warning": DiagnosticSeverity.Warning,
    "info": DiagnosticSeverity.Information,
}
SOURCE = "oblist"
_BOM = "\ufeff"


def findings(reading: RememberingReading, path: str, text: str) -> list[SourceFinding]:
    """What the checker finds in ``text``, the present content of the file at ``path``.

    A fault in the settings is a finding in their stead. Raises the error of an unusable index.
    """
    reading.reopen_if_replaced()
    try:
        found = find_settings(Path(path).parent)
        settings = read_settings(found) if found is not None else Settings(Path(path).parent)
        texts = {path: text.removeprefix(_BOM)}
        check = Check(reading.path, settings, 1, _quietly, texts=texts, reading=reading)
        return check.run([path]).findings
    except CheckError as error:
        return [SourceFinding(path, 1, 1, "settings", str(error), severity="error")]


def _quietly(_doing: str, _done: int, _total: int) -> None:
    """Show no progress: nobody waits."""


def diagnostics(found: list[SourceFinding], lines: Lines) -> list[Diagnostic]:
    """The findings as a client shows them, at their places in the checked text."""
    starts = _line_starts(lines.text)
    return [
        Diagnostic(
            range=_range(one, lines, starts),
            message=one.message + _suggested(one),
            severity=_SEVERITIES.get(one.severity, DiagnosticSeverity.Warning),
            code=one.rule,
            source=SOURCE,
            tags=[DiagnosticTag.Deprecated] if one.rule == "deprecated" else None,
        )
        for one in found
    ]


def _suggested(finding: SourceFinding) -> str:
    return f" Did you mean {', '.join(finding.suggestions)}?" if finding.suggestions else ""


def _range(finding: SourceFinding, lines: Lines, starts: list[int]) -> Range:
    line = min(finding.line, len(starts)) - 1
    start = starts[line] + finding.column - 1
    if lines.text.startswith(_BOM) and line == 0:
        start += 1
    return lines.range(start, start + max(1, finding.length))


def _line_starts(text: str) -> list[int]:
    """The offset of each line as the checker counts lines: at line feeds."""
    starts = [0]
    while (at := text.find("\n", starts[-1])) >= 0:
        starts.append(at + 1)
    return starts
