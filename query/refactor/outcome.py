"""Carry out a plan: prove it, write it, or only say what it would change."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..edit.changes import Change
from ..edit.writing import finish_interrupted, write_changes
from .errors import RefactorError
from .plan import EditPlan, PlannedPlace
from .proof.built import proved


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a plan.

    It is refused if places would be left without permission; then ``changes`` is empty. ``differences`` are
    those that a proof found; if there are any, nothing is written.
    """

    plan: EditPlan
    changes: Mapping[str, Change]
    differences: Sequence[str] = ()
    refused: bool = False
    proved: bool = False
    written: bool = False

    def json(self) -> dict[str, object]:
        """All of it, as JSON has it."""
        plan = self.plan
        return {
            "subject": plan.subject,
            "renamed": dict(plan.renamed),
            "edits": [
                {"path": path, "start": edit.start, "end": edit.end, "new": edit.new}
                for path, edits in plan.edits.items()
                for edit in edits
            ],
            "moved": dict(plan.moved),
            "gone": [{"what": one.what, "row": [*one.row]} for one in plan.gone],
            "new": [{"what": one.what, "row": [*one.row]} for one in plan.new],
            "unplaced": [_place(one) for one in plan.unplaced],
            "documented": [_place(one) for one in plan.documented],
            "differences": [*self.differences],
            "refused": self.refused or bool(self.differences),
            "proved": self.proved and not self.differences,
            "written": self.written,
        }


def carried_out(
    plan: EditPlan,
    folder: Path,
    stage: Callable[[str], None],
    *,
    write: bool,
    prove: bool,
    leave_unplaced: bool,
    test: bool = False,
) -> Outcome:
    """Carry out a plan in a project's folder. Raises RefactorError or EditError, and writes nothing then.

    With ``test``, the project's tests belong to the proof. ``stage`` is called with what is being done: a
    proof takes as long as two builds.
    """
    if plan.unplaced and not leave_unplaced:
        return Outcome(plan, {}, refused=True)
    changes = plan.changes
    differences = proved(plan, folder, stage, test=test) if prove or test else []
    written = write and not differences
    if written:
        write_changes([*changes.values()])
    return Outcome(plan, changes, differences, proved=prove or test, written=written)


def finish_interrupted_below(folder: Path) -> None:
    """Finish what a process that was killed was about to write. Raises RefactorError if anything was."""
    folders = {Path(parent) for parent, _, _ in os.walk(folder)}
    for path in finish_interrupted(folders):
        raise RefactorError(f"an interrupted change to {path} has been completed: build the index again")


def _place(one: PlannedPlace) -> dict[str, object]:
    return {"path": one.path, "line": one.line, "column": one.column, "text": one.text, "why": one.why}
