"""The command ``audit``."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ...index.not_found import NotFound
from ...index.shown import counted
from ...refactor.unused.options import ProofOptions, proof_options
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import opened_all
from ...terminal.options import with_catalog_option
from ...terminal.printing import finish, lazily, say_notes
from ...terminal.question_command import ask, asks
from .lists.table import LISTS
from .parameters import AuditParameters
from .text import audit_text

if TYPE_CHECKING:
    from ..findings import SourceFinding
    from .answer import AuditAnswer

_EXPLAINED = "docs/commands.md#oblist-audit"
_UNUSED = "unused"
_FORMATS = ("text", "json", "github", "sarif", "junit")


@asks(AuditParameters)
@click.option("--format", "shape", type=click.Choice(_FORMATS), help="Report in this format (default: text).")
@click.option("--baseline", metavar="FILE", help="Report only findings that are not in this baseline.")
@click.option("--write-baseline", metavar="FILE", help="Write all findings as a baseline, and report none.")
@click.option(
    "--overwrite", is_flag=True, help="With --write-baseline: replace FILE even if it is not a baseline."
)
@click.option("--unused", is_flag=True, help="The same as --list unused.")
@proof_options
@with_catalog_option
def audit(
    asked: AuditParameters,
    shape: str | None,
    baseline: str | None,
    write_baseline: str | None,
    overwrite: bool,
    unused: bool,
    path: str | None,
    as_json: bool,
    **proof: Unpack[ProofOptions],
) -> None:
    """List the code in PART that nothing needs. PART is a system, package or file (default: the
    project).

    Exported names count as used, since others may use them. With --exported, they do not; with
    --with-catalog, only those that a release in the catalog uses. Each uncertain finding says why.
    Exit code 1: there are findings.

    With --prove, the list of unused definitions says which can be deleted, because the project loads
    without them and nothing else changes.
    """
    if as_json and shape not in (None, "json"):
        raise click.UsageError(f"Give --json or --format {shape}, not both.")
    shape = "json" if as_json else shape or "text"
    if unused:
        if asked.only not in (None, _UNUSED):
            raise click.UsageError(f"Give --unused or --list {asked.only}, not both.")
        asked = replace(asked, only=_UNUSED)
    if _is_proof(proof):
        if shape not in ("text", "json") or baseline or write_baseline or asked.only not in (None, _UNUSED):
            raise click.UsageError(
                "--prove works only with --list unused, prints text or JSON, and takes no baseline."
            )
        _prove(asked, path, proof, as_json=shape == "json")
    else:
        _list(asked, path, shape, baseline, write_baseline, overwrite=overwrite)


def _is_proof(proof: ProofOptions) -> bool:
    """Whether a proof is asked for."""
    is_proof = proof["prove"] or proof["test"]
    if not is_proof and (proof["write"] or proof["diff"]):
        raise click.UsageError("--diff and --write apply to what --prove has proved: give --prove, too.")
    return is_proof


def _list(
    asked: AuditParameters,
    path: str | None,
    shape: str,
    baseline: str | None,
    write_baseline: str | None,
    *,
    overwrite: bool,
) -> None:
    """List the findings; exit code 1 if there are any."""
    from ..errors import CheckError
    from ..report.lines import on_a_line
    from ..settings import Settings
    from ..silence import read_baseline
    from ..silence import write_baseline as write

    settings = Settings(Path.cwd())
    try:
        known = read_baseline(Path(baseline)) if baseline else None
        with opened_all((path,) if path is not None else ()) as index:
            answer = ask(index, replace(asked, limit=0, offset=0))
        if isinstance(answer, NotFound):
            finish(answer, shape == "json", audit_text)
            return
        if write_baseline:
            count = write(Path(write_baseline), _as_findings(answer), settings, overwrite=overwrite)
            click.echo(f"oblist: {counted(count, 'finding')} written to {write_baseline}", err=True)
            return
        if known is not None:
            answer = _only(answer, known.new(_as_findings(answer), settings))
    except CheckError as error:
        raise click.UsageError(on_a_line(str(error))) from error
    if shape in ("text", "json"):
        people = lazily(".check.audit.people:audit_people")
        finish(_page(answer, asked), shape == "json", audit_text, people, index=index)
    elif text := _report(answer, shape):
        click.echo(text)
    say_notes([answer])
    if answer.total:
        sys.exit(EXIT_NOT_FOUND)


def _prove(asked: AuditParameters, path: str | None, proof: ProofOptions, *, as_json: bool) -> None:
    """Prove what is unused, and report that; exit code 1 if there is anything that stays."""
    from ...indexes import Indexes
    from ...refactor.unused.report import prove_and_report
    from .ask import audited_code, one_index

    with opened_all((path,) if path is not None else ()) as index:
        catalog = index.catalog if isinstance(index, Indexes) else None
        reading = one_index(index.readings) if isinstance(index, Indexes) else index
        code = audited_code(reading, asked, catalog)
        if isinstance(code, NotFound):
            finish(code, as_json, audit_text)
            return
        prove_and_report(code, proof, as_json=as_json)


def _as_findings(answer: AuditAnswer) -> list[SourceFinding]:
    """The findings as those of a check, which reports and baselines take."""
    from ..findings import SourceFinding

    return [
        SourceFinding(
            os.path.relpath(one.path) if one.path is not None else "",
            one.line or 1,
            one.column or 1,
            one.sort,
            f"{one.written}: {one.why}{f' (uncertain: {one.uncertain})' if one.uncertain else ''}",
            "info" if one.uncertain else "warning",
        )
        for one in answer.findings
    ]


def _only(answer: AuditAnswer, new: list[SourceFinding]) -> AuditAnswer:
    """The answer with only the new findings."""
    left = Counter(new)
    kept = []
    for one, finding in zip(answer.findings, _as_findings(answer), strict=True):
        if left[finding]:
            left[finding] -= 1
            kept.append(one)
    counts = Counter(one.sort for one in kept)
    lists = {name: counts[name] for name in answer.lists if counts[name]}
    return replace(answer, findings=kept, total=len(kept), lists=lists)


def _page(answer: AuditAnswer, asked: AuditParameters) -> AuditAnswer:
    """The page of the answer that was asked for."""
    end = asked.offset + asked.limit if asked.limit else None
    return replace(answer, offset=asked.offset, findings=answer.findings[asked.offset : end])


def _report(answer: AuditAnswer, shape: str) -> str:
    from ..findings import CheckOutcome
    from ..report.formats import report
    from ..report.sarif import ReportedRule

    rules = [ReportedRule(name, about, "warning", _EXPLAINED) for name, about in LISTS.items()]
    findings = _as_findings(answer)
    outcome = CheckOutcome(findings, files=len({one.path for one in findings}))
    return report(outcome, shape, rules=rules)
