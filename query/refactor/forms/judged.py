"""What the checker finds in a text that is to be written, and was not found in the one that it replaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...check.form.answer import FormFinding
from ...check.form.ask import check_form
from ...edit.changes import Edit
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...syntax.lexemes import lexemes
from ..errors import RefactorError
from ..project.texts import ProjectText

_READING = frozenset(("unclosed", "unmatched-parenthesis"))
_GRAVE = frozenset(("error", "warning"))


@dataclass(frozen=True, slots=True)
class Judgement:
    """The findings in a new text, by its own lines, and those that it causes in the rest of the file."""

    findings: Sequence[FormFinding]
    elsewhere: Sequence[FormFinding]


def refuse_unless_whole(index: Reading, text: str, package: str) -> None:
    """Raise RefactorError unless a text consists of one or more complete forms."""
    answer = check_form(index, text, package)
    if not isinstance(answer, NotFound):
        if answer.not_checked is not None:
            raise RefactorError(f"the text cannot be read: {answer.not_checked}")
        for one in answer.findings:
            if one.rule in _READING:
                place = f"line {one.line}, column {one.column}"
                raise RefactorError(f"the text must consist of complete forms: {one.message} ({place})")
    if not any(True for _ in lexemes(text)):
        raise RefactorError("the text contains no form, only comments")


def judged(file: ProjectText, after: ProjectText, edit: Edit, new: str) -> Judgement:
    """The judgement of an edit of a file that inserts the text ``new``."""
    found = _judgement(file, after, edit, new, changed=False)
    if not found.findings and not found.elsewhere:
        return found
    # What other edits have defined by now is not in the index; to read it takes time.
    return _judgement(file, after, edit, new, changed=True)


def _judgement(file: ProjectText, after: ProjectText, edit: Edit, new: str, *, changed: bool) -> Judgement:
    start = edit.start + edit.new.find(new)
    first, last = (after.lines.place(one)[0] for one in (start, start + len(new)))
    inside: list[FormFinding] = []
    rest: list[FormFinding] = []
    for one in _findings(after, changed=changed):
        (inside if new and first <= one.line <= last else rest).append(one)
    first_old, last_old = (file.lines.place(one)[0] for one in (edit.start, edit.end))
    known: Counter[tuple[str, str]] = Counter()
    known_elsewhere: Counter[tuple[str, str]] = Counter()
    for one in _findings(file, changed=changed):
        is_replaced = edit.end > edit.start and first_old <= one.line <= last_old
        (known if is_replaced else known_elsewhere)[one.rule, one.message] += 1
    return Judgement(
        [replace(one, line=one.line - first + 1) for one in _besides(inside, known)],
        _besides(rest, known_elsewhere),
    )


def _findings(one: ProjectText, *, changed: bool) -> list[FormFinding]:
    answer = check_form(one.project.index, one.text, path=one.path, changed=changed)
    if isinstance(answer, NotFound):
        return []
    return [finding for finding in answer.findings if finding.severity in _GRAVE]


def _besides(findings: Sequence[FormFinding], known: Counter[tuple[str, str]]) -> list[FormFinding]:
    """The findings without those that were there before."""
    left = known.copy()
    found = []
    for one in findings:
        if left[one.rule, one.message] > 0:
            left[one.rule, one.message] -= 1
        else:
            found.append(one)
    return found
