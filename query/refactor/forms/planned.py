"""The plan of an edit of one form: replace it, delete it, or put text before or after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...edit.changes import Edit, edited
from ...questions.definition.digest import form_digest
from ..errors import RefactorError
from ..plan import EditPlan
from ..project.texts import ProjectText, ProjectTexts
from .found import EditableForm, form_to_edit
from .judged import Judgement, judged, refuse_unless_whole
from .surroundings import beginning, finish, gap, margin, newline, whole_lines

OPERATIONS = (REPLACE, BEFORE, AFTER, DELETE) = ("replace", "before", "after", "delete")


@dataclass(frozen=True, slots=True)
class FormEdit:
    """The plan of an edit, the form's place, the findings in the new text, and the form's digest afterwards.

    ``digest`` is None if the form is then gone.
    """

    plan: EditPlan
    place: str
    judgement: Judgement
    digest: str | None


def form_edit(
    project: ProjectTexts, name: str, package: str, operation: str, digest: str, text: str | None
) -> FormEdit:
    """The plan of one of the OPERATIONS on the form with a digest that defines a name, with a new text.

    Raises RefactorError if the digest is not that of a definition now, if the text cannot be read as whole
    forms or does not define what it replaces, and if anything else would be read in another way then.
    """
    if operation == DELETE and text:
        raise RefactorError("delete takes no text: to put something in the form's place, use replace")
    if operation != DELETE and not (text and text.strip()):
        raise RefactorError(f"the text is missing: give the text to {_WANTING[operation]}")
    form = form_to_edit(project, name, package, digest)
    new = "" if operation == DELETE else newline(form).join((text or "").strip().splitlines())
    if new:
        refuse_unless_whole(project.index, new, form.around.package)
    edit, after = _kept_edit(form, _edits(form, operation, new))
    if operation == REPLACE:
        _refuse_another_name(form, after, edit)
    own = form.digest if operation in (BEFORE, AFTER) else _new_digest(form, after, edit)
    file = form.file
    plan = EditPlan(name, {file.path: file.text}, {file.path: [edit]})
    return FormEdit(plan, form.place, judged(file, after, edit, new), own)


_WANTING = {REPLACE: "replace the form with", BEFORE: "put before the form", AFTER: "put after the form"}


def _edits(form: EditableForm, operation: str, new: str) -> Iterator[Edit]:
    """Yield the edits that may be meant, the best first."""
    if operation == REPLACE:
        yield Edit(form.start, form.end, new)
    elif operation == BEFORE:
        start = beginning(form)
        yield Edit(start, start, f"{new}{gap(form, before=True)}{margin(form)}")
    elif operation == AFTER:
        end = finish(form)
        yield Edit(end, end, f"{gap(form, before=False)}{margin(form)}{new}")
    else:
        yield Edit(*whole_lines(form), "")
        yield Edit(beginning(form), finish(form), "")


def _kept_edit(form: EditableForm, edits: Iterator[Edit]) -> tuple[Edit, ProjectText]:
    """The first edit after which all other forms are read as before, and the text then."""
    file = form.file
    for edit in edits:
        after = ProjectText(file.path, edited(file.text, [edit]), file.project)
        if _keeps_the_rest(file, after, edit, is_toplevel=form.around.toplevel.node.start == form.start):
            return edit, after
    raise RefactorError(
        f"this would change how other forms of {file.shown} are read: the text must end with its last form"
    )


def _keeps_the_rest(before: ProjectText, after: ProjectText, edit: Edit, *, is_toplevel: bool) -> bool:
    moved = len(edit.new) - (edit.end - edit.start)
    first = [one for one in _extents(before) if one[1] <= edit.start]
    last = [(start + moved, end + moved) for start, end in _extents(before) if start >= edit.end]
    found = _extents(after)
    kept = found[: len(first)] == first and found[len(found) - len(last) :] == last
    changed = found[len(first) : len(found) - len(last)]
    if is_toplevel:
        return kept and all(
            edit.start <= start and end <= edit.start + len(edit.new) for start, end in changed
        )
    around = [one for one in _extents(before) if one[0] < edit.start and edit.end < one[1]]
    return kept and changed == [(start, end + moved) for start, end in around]


def _extents(text: ProjectText) -> list[tuple[int, int]]:
    return [(one.toplevel.node.start, one.toplevel.node.end) for one in text.forms if one.toplevel.closed]


def _made(text: ProjectText, start: int, end: int) -> Sequence[EditableForm]:
    """The forms between two offsets that define something."""
    return [
        EditableForm(text, made.form_start, made.form_end, form)
        for form in text.forms
        for made in form.walked.definitions
        if made.macro and start <= made.form_start and made.form_end <= end
    ]


def _refuse_another_name(form: EditableForm, after: ProjectText, edit: Edit) -> None:
    """Raise RefactorError unless the new text defines what the form does."""
    now = {name for each in _made(after, edit.start, edit.start + len(edit.new)) for name in _names(each)}
    for defined, one in zip(_names(form), form.definitions, strict=True):
        if defined not in now:
            name = form.file.text[one.start : one.start + one.length]
            raise RefactorError(
                f"the new text does not define {name}, which the form defines: to rename it, use "
                "rename_symbol; to remove it, insert the new text before or after the form, and then "
                "delete the form"
            )


def _names(form: EditableForm) -> list[tuple[str | None, str, str | None]]:
    """What a form is there to define: packages, names, and SETF for ``(setf name)``."""
    operators = {one.start: one.operator for one in form.around.walked.occurrences}
    return [(one.symbol.package, one.symbol.name, operators.get(one.start)) for one in form.definitions]


def _new_digest(form: EditableForm, after: ProjectText, edit: Edit) -> str | None:
    """The digest of the form that defines the same in the new text; without one, of the whole text."""
    if not edit.new:
        return None
    names = {one.symbol.name for one in form.definitions}
    for each in _made(after, edit.start, edit.start + len(edit.new)):
        if any(one.symbol.name in names for one in each.definitions):
            return each.digest
    return form_digest(form.file.shown, edit.new)
