"""The handlers of edit_form and rename_symbol, which show a change, or propose to write it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from oblist.indexer.left_out import REFERENCES

from ...check.form.answer import FormFinding
from ...edit.changes import Change, EditError
from ...edit.writing import write_changes
from ...index.shown import counted, shown_name
from ...refactor.errors import RefactorError
from ...refactor.forms.planned import form_edit
from ...refactor.outcome import carried_out
from ...refactor.plan import EditPlan, PlannedPlace
from ...refactor.project.folder import project_folder
from ...refactor.project.texts import ProjectTexts
from ...refactor.rename.symbols import renamed_symbol
from ..answer import SourceChangeAnswer
from ..budget import budget_of, whole_lines
from ..running.call import this_call
from ..vocabulary import Proposal, Reply

ANSWERS = (SourceChangeAnswer,)
_Failed = tuple[None, str]
_NOT_OF_ONE = "the tools change the project that the index is in (oblist index --project), and no other files"
_STALE = "The index does not know the change yet: reindex, or a server with --watch, brings it up to date."
_MOST_SHOWN = 20
_MOST_ELSEWHERE = 5


def edit_form(arguments: Mapping[str, Any]) -> Reply | Proposal | _Failed:
    """Answer edit_form with the difference, or propose it; what is wrong with the text refuses it."""
    call = this_call()
    with call.index() as index:
        index.reopen_if_replaced()
        try:
            folder = project_folder(index, None, _NOT_OF_ONE)
            edit = form_edit(
                ProjectTexts(index, str(folder)),
                arguments["name"],
                arguments["package"],
                arguments["operation"],
                arguments["digest"],
                arguments.get("text"),
            )
            if edit.judgement.findings:
                return None, _found(edit.judgement.findings)
            change = _Shown(edit.plan, folder, arguments, edit.digest)
        except (RefactorError, EditError) as error:
            return None, _sentence(error, budget_of(arguments))
    return change.answered(_elsewhere(edit.judgement.elsewhere))


def rename_symbol(arguments: Mapping[str, Any]) -> Reply | Proposal | _Failed:
    """Answer rename_symbol with the difference, or propose it; places that may name it refuse it."""
    call = this_call()
    with call.index() as index:
        index.reopen_if_replaced()
        try:
            index.require(REFERENCES)
            folder = project_folder(index, None, _NOT_OF_ONE)
            plan = renamed_symbol(
                ProjectTexts(index, str(folder)),
                arguments["old"],
                arguments["new"],
                arguments["package"],
                docs=arguments["docs"],
            )
            outcome = carried_out(
                plan,
                folder,
                call.progress,
                write=False,
                prove=False,
                leave_unplaced=arguments["leave_unplaced"],
            )
            if outcome.refused:
                return None, _unplaced(plan, folder)
            change = _Shown(plan, folder, arguments, None)
        except (RefactorError, EditError) as error:
            return None, _sentence(error, budget_of(arguments))
    return change.answered(_documented(plan))


class _Shown:
    """A change, for the answer and for who has to approve it."""

    def __init__(
        self, plan: EditPlan, folder: Path, arguments: Mapping[str, Any], digest: str | None
    ) -> None:
        """Raises EditError if a file is not what it was."""
        self._plan = plan
        self._changes: Sequence[Change] = [*plan.changes.values()]
        self._digest = digest
        self._write = arguments["write"]
        self._budget = budget_of(arguments)
        shown = (one.difference(os.path.relpath(one.path, folder)) for one in self._changes)
        self._difference = "".join(shown)

    def answered(self, notes: Sequence[str]) -> Reply | Proposal:
        """The difference, or the proposal to write it."""
        if not self._difference:
            return self._reply("Nothing to change: the text is already the same.", notes, written=False)
        if not self._write:
            return self._reply(self._difference, notes, written=False)

        def carry_out() -> Reply | _Failed:
            try:
                write_changes(self._changes)
            except EditError as error:
                return None, _sentence(error, self._budget)
            files = counted(len(self._changes), "file")
            text = f"Written: {counted(self._plan.count, 'place')} in {files}."
            if self._digest is not None:
                text += f" The form has the digest {self._digest} now."
            return self._reply(text, [*notes, _STALE], written=True)

        octets = (part for one in self._changes for part in (bytes(one.path), one.before, one.after))
        digest = hashlib.sha256(b"".join(hashlib.sha256(one).digest() for one in octets)).hexdigest()
        return Proposal(self._difference, digest, carry_out)

    def _reply(self, text: str, notes: Sequence[str], *, written: bool) -> Reply:
        answer = SourceChangeAnswer(
            difference=whole_lines(self._difference, self._budget),
            files=[str(one.path) for one in self._changes],
            places=self._plan.count,
            written=written,
            digest=self._digest,
        )
        return Reply(whole_lines(text.rstrip("\n"), self._budget), answer, notes)


def _sentence(error: Exception, budget: int) -> str:
    return whole_lines(f"Nothing was changed: {error}", budget)


def _found(findings: Sequence[FormFinding]) -> str:
    told = [_line(one) for one in findings[:_MOST_SHOWN]]
    more = [f"... and {len(findings) - _MOST_SHOWN} more"] if len(findings) > _MOST_SHOWN else []
    return "\n".join(["Nothing was changed. First correct the text (line:column of the text):", *told, *more])


def _line(one: FormFinding) -> str:
    return f"{one.line}:{one.column}: {one.severity}[{one.rule}] {shown_name(one.message)}"


def _elsewhere(findings: Sequence[FormFinding]) -> list[str]:
    """Notes about what is wrong in the rest of the file then."""
    notes = [
        f"This change leaves a problem elsewhere in the file: {_line(one)}."
        for one in findings[:_MOST_ELSEWHERE]
    ]
    more = len(findings) - _MOST_ELSEWHERE
    return [*notes, f"Other problems in the rest of the file: {more}."] if more > 0 else notes


def _unplaced(plan: EditPlan, folder: Path) -> str:
    places = [_place(one, folder) for one in plan.unplaced[:_MOST_SHOWN]]
    more = len(plan.unplaced) - _MOST_SHOWN
    told = [*places, f"... and {more} more"] if more > 0 else places
    heading = (
        f"Nothing was changed: these places may name {plan.subject}, but would stay as they are. Look at "
        "them, then call again with leave_unplaced=true."
    )
    return "\n".join([heading, *told])


def _place(one: PlannedPlace, folder: Path) -> str:
    why = f"{one.why}: " if one.why else ""
    return f"{os.path.relpath(one.path, folder)}:{one.line}:{one.column}: {why}{one.text}"


def _documented(plan: EditPlan) -> list[str]:
    count = len(plan.documented)
    if not count:
        return []
    places = counted(count, "place")
    return [f"Comments and documentation also name it ({places}): docs=true changes them, too."]
