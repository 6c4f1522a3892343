"""The answer of audit as text; pure."""

from __future__ import annotations

from ...index.shown import counted, shown_name
from ...questions.paging import rest_line
from ...questions.placed import placed_lines
from .answer import AuditAnswer, AuditFinding
from .lists.table import LISTS


def audit_text(answer: AuditAnswer, more: str = "--offset {offset}") -> str:
    """Return the counts, then the findings by list and file."""
    lines = [heading(answer), *users(answer)]
    lines += placed_lines(
        answer.findings,
        lambda one: one.sort,
        lambda sort: f"{sort}: {LISTS[sort]} ({answer.lists[sort]})",
        _finding,
    )
    lines += rest_line(answer.findings, answer.total, answer.offset, more)
    if answer.note:
        lines.append(f"Note: {answer.note}.")
    return "\n".join(lines)


def heading(answer: AuditAnswer) -> str:
    """Return the line with the counts."""
    counts = ", ".join(f"{name} {number}" for name, number in answer.lists.items())
    findings = counted(answer.total, "finding")
    what = f"{counted(answer.definitions, 'definition')} of the {shown_name(answer.part)}"
    return f"{findings} in {what}{f': {counts}' if counts else ''}"


def users(answer: AuditAnswer) -> list[str]:
    """Return the line on the catalog, if one was asked."""
    if answer.releases is None:
        return []
    if answer.releases == 0:
        return ["No release in the catalog uses any of its names."]
    use = "release in the catalog uses" if answer.releases == 1 else "releases in the catalog use"
    return [f"{answer.releases:,} {use} its names."]


def _finding(one: AuditFinding) -> str:
    where = ":".join(str(part) for part in (one.line, one.column) if part is not None)
    kind = f"{one.written} [{one.kind}]" if one.kind else one.written
    uncertain = f" (uncertain: {one.uncertain})" if one.uncertain else ""
    return shown_name("  ".join(part for part in (where, kind, one.why + uncertain) if part))
