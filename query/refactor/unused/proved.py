"""The proof: which of the definitions that nothing uses can be deleted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from oblist.indexer.left_out import REFERENCES

from ...check.audit.code import AuditedCode
from ..errors import RefactorError
from ..project.texts import ProjectTexts
from ..proof.built import copied
from .answer import ProvedUnused, UnusedVerdict
from .deletion import Deletion, edits_of
from .planned import PlannedDeletions
from .trial import OutOfTimeError, TrialCopy

_MOST_SAID = 3
_AROUND = "\"'(),.;"


def proved_unused(
    code: AuditedCode,
    folder: Path,
    stage: Callable[[str], None],
    *,
    seconds: float,
    most: int | None = None,
    test: bool = False,
) -> ProvedUnused:
    """Try to delete what nothing uses, at most so many definitions, in so many seconds of builds.

    With ``test``, the tests of the project's systems have to say the same. This runs the project's code, in a
    copy that is removed in the end. Raises RefactorError if the project cannot be built as it is.
    """
    code.index.require(REFERENCES)
    project = ProjectTexts(code.index, str(folder))
    planned = PlannedDeletions(project, code)
    reasons: dict[int, str | None] = {}
    deletions: dict[int, Deletion] = {}
    stage("looking for what is unused")
    found = [*planned.findings()]
    for number, (finding, row) in enumerate(found):
        try:
            deletion = planned.plan(finding, row)
            edits_of(project, [deletion])
        except RefactorError as error:
            reasons[number] = str(error)
            continue
        if most is not None and len(deletions) >= most:
            reasons[number] = "it was not tried: the limit of --most was reached"
        else:
            deletions[number] = deletion
    builds, certain = 0, []
    if deletions:
        with copied(folder) as copy:
            trial = TrialCopy(project, copy, stage, time.monotonic() + seconds, test=test)
            search = DeletableSearch(trial.differences)
            certain = search.settled([], [*deletions.values()])
            builds = trial.builds
        for number, deletion in deletions.items():
            reasons[number] = search.reasons.get(deletion)
    edits = edits_of(project, certain)
    verdicts = [
        UnusedVerdict(one.written, one.kind, one.path, one.line, one.column, reasons[number])
        for number, (one, _) in enumerate(found)
    ]
    texts = {path: project.file(path).text for path in edits}
    return ProvedUnused(code.part.called, verdicts, builds, texts, edits, tested=test)


class DeletableSearch:
    """Finds what can be deleted together, in as few tries as it can; ``reasons`` has why the rest cannot.

    ``differences`` tries some deletions together.
    """

    def __init__(self, differences: Callable[[Sequence[Deletion]], list[str]]) -> None:
        self._differences = differences
        self.reasons: dict[Deletion, str] = {}

    def settled(self, known: list[Deletion], more: list[Deletion]) -> list[Deletion]:
        """What can be deleted: what is ``known`` to be deletable, and of ``more`` what can go with it."""
        if not more:
            return known
        try:
            found = self._differences([*known, *more])
        except OutOfTimeError as error:
            self.reasons.update(dict.fromkeys(more, str(error)))
            return known
        if not found:
            return [*known, *more]
        if len(more) == 1:
            self.reasons[more[0]] = _said(found)
            return known
        suspects = [one for one in more if _is_named(one, found)]
        if not suspects or len(suspects) == len(more):
            suspects = more[len(more) // 2 :]
        rest = [one for one in more if one not in suspects]
        return self.settled(self.settled(known, rest), suspects)


def _is_named(one: Deletion, differences: Sequence[str]) -> bool:
    """Whether a difference names what a deletion deletes."""
    words = {word.strip(_AROUND) for line in differences for word in line.upper().replace(":", " ").split()}
    return any(name.name.upper() in words for name in one.names)


def _said(differences: Sequence[str]) -> str:
    shown = "; ".join(differences[:_MOST_SAID])
    more = len(differences) - _MOST_SAID
    return f"{shown}; and {more} more" if more > 0 else shown
