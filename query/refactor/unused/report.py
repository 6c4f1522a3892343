"""Prove what is unused, write it if that is asked for, and show what came of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import click

from ...check.audit.code import AuditedCode
from ...edit.changes import EditError, change_of
from ...edit.writing import write_changes
from ...index.shown import counted, shown_name
from ...questions.placed import placed_lines
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.printing import json_text, say
from ...terminal.stages import stages
from ..errors import RefactorError
from ..outcome import finish_interrupted_below
from ..project.folder import project_folder
from ..report import end, shown_path
from .answer import ProvedUnused, UnusedVerdict
from .options import ProofOptions
from .proved import proved_unused


def prove_and_report(code: AuditedCode, options: ProofOptions, *, as_json: bool) -> None:
    """Prove what is unused in some code of a project, and report that.

    What is certain is deleted if the options say so. Ends with exit code 1 if anything unused is left, or if
    there is no proof.
    """
    write = options["write"]
    with stages() as stage:
        try:
            folder = project_folder(code.index, options["project"])
            if write:
                finish_interrupted_below(folder)
            proof = proved_unused(
                code,
                folder,
                stage,
                seconds=options["seconds"],
                most=options["most"],
                test=options["test"],
            )
            changes = {path: change_of(path, proof.texts[path], edits) for path, edits in proof.edits.items()}
            if write:
                write_changes([*changes.values()])
                proof = replace(proof, written=True)
        except (RefactorError, EditError) as error:
            end(str(error))
    if as_json:
        say(json_text(proof.json()))
    elif options["diff"]:
        for path, change in changes.items():
            click.echo(change.difference(shown_path(path)), nl=False)
    else:
        say("\n".join(unused_text(proof)))
    if len(proof.verdicts) > (proof.certain if write else 0):
        sys.exit(EXIT_NOT_FOUND)


def unused_text(proof: ProvedUnused) -> Iterator[str]:
    """Yield the lines that say what is certain, and what is not for which reason."""
    total = len(proof.verdicts)
    can = "has been deleted" if proof.written else "can be deleted"
    if proof.certain != 1:
        can = "have been deleted" if proof.written else "can be deleted"
    tests = "; its tests give the same results" if proof.tested and proof.certain else ""
    yield (
        f"{proof.certain:,} of {counted(total, 'unused definition')} of "
        f"the {shown_name(proof.part)} {can}: {_STAYS}{tests}"
        if proof.certain
        else f"0 of {counted(total, 'unused definition')} of the {shown_name(proof.part)} {can}"
    )
    yield from placed_lines(
        sorted(proof.verdicts, key=lambda one: not one.certain),
        lambda one: "certain" if one.certain else "not certain",
        lambda sort: f"{sort} ({proof.certain if sort == 'certain' else total - proof.certain})",
        _line,
    )


_STAYS = "the project still loads, and is otherwise unchanged"


def _line(one: UnusedVerdict) -> str:
    where = ":".join(str(part) for part in (one.line, one.column) if part is not None)
    return shown_name("  ".join(filter(None, (where, f"{one.written} [{one.kind}]", one.reason))))
