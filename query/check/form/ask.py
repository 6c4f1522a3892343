"""A form, or the text of a file, judged by the rules of check against an index, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import shorten

from ...index.finding.resolve import package_argument
from ...index.incomplete import may_lack
from ...index.not_found import NotFound
from ...index.present.lines import TextLines
from ...index.reading import Reading
from ..declare.declarations import Declarations
from ..declare.first_reading import package_of
from ..declare.lost import without_lost
from ..elsewhere import with_elsewhere
from ..files import siblings
from ..findings import SourceFinding
from ..report.lines import full_message
from ..settings import Settings
from ..workers import CheckTask, Judged, Worker
from .answer import FormCheckAnswer, FormFinding
from .parameters import FormParameters

LABEL = "form"
_MOST_SHOWN = 80
_SETTINGS = Settings(Path())


def check_form(
    index: Reading,
    text: str,
    package: str | None = None,
    path: str = LABEL,
    *,
    limit: int = 0,
    offset: int = 0,
    changed: bool = False,
) -> FormCheckAnswer | NotFound:
    """The findings of ``oblist check`` in ``text``: one or more forms, or all of a file.

    The text begins in ``package``: by default in COMMON-LISP-USER, or what the end of ``path`` implies.
    ``path`` is a label: neither that file nor any settings are read. Indexed sources that have changed are
    read, for what they no longer define and, with ``changed``, for what they define now. ``limit`` 0 means
    all. Returns NotFound if there is no such package; raises IndexDamagedError.
    """
    index.reopen_if_replaced()
    start = package_of(path)
    if package is not None:
        named = package_argument(index, package)
        if isinstance(named, NotFound):
            return named
        start = named.name
    judged, not_checked = _judged(index, text, start, path, changed=changed)
    findings = with_elsewhere(judged.findings, None)
    return FormCheckAnswer(
        path=path,
        package=start,
        total=len(findings),
        offset=offset,
        errors=sum(one.severity == "error" for one in findings),
        warnings=sum(one.severity == "warning" for one in findings),
        findings=_shown(findings[offset : offset + limit if limit else None], text),
        calls=judged.calls,
        symbols=judged.symbols,
        not_checked=not_checked,
        incomplete=may_lack(index) if findings else None,
    )


def checked_form(index: Reading, asked: FormParameters) -> FormCheckAnswer | NotFound:
    """The findings in a form, as a question to the index."""
    return check_form(index, asked.text, asked.package, limit=asked.limit)


def _judged(index: Reading, text: str, start: str, path: str, *, changed: bool) -> tuple[Judged, str | None]:
    """Both passes over a text that begins in the package ``start``; and why it was not checked, if so."""
    task = CheckTask(
        index.path,
        _SETTINGS.assumed,
        texts={path: text},
        packages={path: start},
        reading=index,
    )
    read = Worker(task).read([path])
    declarations = read.declarations.get(path, Declarations())
    task = replace(task, declarations=declarations, lost=Worker(task).lost({}))
    judged = Worker(task).judge([path])
    if changed or any(task.lost.are_named_in(one.written) for one in judged.findings):
        # What is gone from one file may be in another now, which the index need not know.
        worker = Worker(task)
        files = worker.changed_files()
        others = [*files, *siblings(files, lambda _: False)]
        by_file = without_lost(worker.read(others).declarations, task.lost, worker.loaded(others))
        together = Declarations()
        together.add(declarations)
        for found in by_file.values():
            together.add(replace(found, entered=[]))
        judged = Worker(replace(task, declarations=together)).judge([path])
    weighed = (_SETTINGS.weighed(one) for one in judged.findings)
    judged.findings = sorted(one for one in weighed if one is not None)
    return judged, next(iter({**read.unreadable, **judged.unreadable}.values()), None)


def _shown(findings: list[SourceFinding], text: str) -> list[FormFinding]:
    lines = TextLines(text)
    found = []
    for one in findings:
        start = lines.start(one.line) + one.column - 1
        at_fault = text[start : start + one.length]
        found.append(
            FormFinding(
                line=one.line,
                column=one.column,
                length=one.length,
                text=shorten(at_fault.partition("\n")[0], _MOST_SHOWN, placeholder="..."),
                rule=one.rule,
                severity=one.severity,
                message=full_message(one),
                suggestions=list(one.suggestions),
                correction=one.suggestions[0] if one.suggestions else None,
            )
        )
    return found
