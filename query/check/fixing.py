"""``check --fix``: show the certain corrections, or make them."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import click

from ..edit.changes import Change, EditError, change_of
from ..edit.writing import finish_interrupted, write_changes
from ..index.shown import counted
from ..terminal.exit_codes import EXIT_NOT_FOUND
from ..terminal.printing import json_text, say
from .files import is_document, read_text
from .findings import CheckOutcome
from .fixes import Correction, corrections
from .report.lines import on_a_line


def fix_files(outcome: CheckOutcome, *, write: bool, as_json: bool) -> None:
    """Correct the findings that can be corrected, or only show the corrections; exit if any are left.

    Exit code 1: there are findings that were not corrected, or files that could not be read.
    """
    folders = {Path(one.path).parent for one in outcome.findings} if write else set()
    for path in finish_interrupted(folders):
        click.echo(f"oblist: completed the interrupted change to {path}; check it again", err=True)
        sys.exit(EXIT_NOT_FOUND)
    try:
        texts = {path: read_text(path) for path in _sources(outcome)}
        found = corrections(outcome.findings, texts)
        by_path: defaultdict[str, list[Correction]] = defaultdict(list)
        for one in found:
            by_path[one.finding.path].append(one)
        changes = {
            path: change_of(path, texts[path], [one.edit for one in of_file])
            for path, of_file in by_path.items()
        }
        if write:
            write_changes([*changes.values()])
    except (EditError, OSError) as error:
        raise click.ClickException(on_a_line(str(error))) from error
    left = len(outcome.findings) - (len(found) if write else 0)
    if as_json:
        say(json_text(_as_json(found, written=write, left=left)))
    else:
        _say(changes, len(found), left, written=write)
    if left or outcome.unreadable:
        sys.exit(EXIT_NOT_FOUND)


def _sources(outcome: CheckOutcome) -> set[str]:
    return {one.path for one in outcome.findings if not is_document(one.path)}


def _say(changes: dict[str, Change], corrected: int, left: int, *, written: bool) -> None:
    if not written:
        for path, change in changes.items():
            click.echo(change.difference(path), nl=False)
    files = len(changes)
    what = f"{counted(corrected, 'finding')} in {counted(files, 'file')}"
    if not corrected:
        told = "no certain corrections"
    elif written:
        told = f"corrected {what}"
    else:
        told = f"--write would correct {what}"
    rest = left if written else left - corrected
    others = f"; {counted(rest, 'other finding')}" if rest else ""
    click.echo(f"oblist: {told}{others}", err=True)


def _as_json(found: list[Correction], *, written: bool, left: int) -> dict[str, object]:
    return {
        "corrections": [
            {
                "path": one.finding.path,
                "line": one.finding.line,
                "column": one.finding.column,
                "rule": one.finding.rule,
                "old": one.finding.written,
                "new": one.new,
            }
            for one in found
        ],
        "written": written,
        "left": left,
    }
