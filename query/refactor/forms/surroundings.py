"""What belongs to a form besides its text: conditionals and comments before it, a comment after it."""

from __future__ import annotations

from ...syntax.texts import ReadText
from .found import EditableForm

_COMMENT, _HEADER = ";", ";;;;"
_USUAL = 2  # line ends between forms


def beginning(form: EditableForm) -> int:
    """Where what belongs to a form begins: its conditionals, and the comment right above.

    A comment at the top of the file, or a line with four semicolons, is about more than the form.
    """
    text = form.file.text
    own = start = _with_conditionals(form)
    least = _end_of_what_is_before(form)
    while (line := text.rfind("\n", 0, start) + 1) and not text[line:start].strip():
        above = max(least, text.rfind("\n", 0, line - 1) + 1)
        comment = text[above:line].lstrip()
        is_own_line = text[:above].endswith("\n") or not above
        if not (is_own_line and comment.startswith(_COMMENT)) or comment.startswith(_HEADER):
            return start
        start = line - len(comment)
    return start if text[:start].strip() else own


def finish(form: EditableForm) -> int:
    """Where a form ends with the comment that follows on its last line."""
    text, end = form.file.text, form.end
    rest = text[end : _line_end(text, end)].rstrip("\r")
    return end + len(rest.rstrip()) if rest.lstrip().startswith(_COMMENT) else end


def whole_lines(form: EditableForm) -> tuple[int, int]:
    """The extent of what belongs to a form, with its lines, so that the wider of the gaps around it is left.

    If there is something else on its lines, it is what belongs to it, with the space before.
    """
    text = form.file.text
    start, end = beginning(form), finish(form)
    line, after = text.rfind("\n", 0, start) + 1, _line_end(text, end)
    before, following = len(text[:start].rstrip()), after + len(text[after:]) - len(text[after:].lstrip())
    if text[line:start].strip() or text[end:after].strip():
        return before, end
    if following == len(text):  # the last form
        return before, len(text.rstrip())
    if not before:
        return 0, text.rfind("\n", 0, following) + 1
    above, below = text[before:line], text[after:following]
    if _is_inside(form) or (above.count("\n"), len(above)) >= (below.count("\n"), len(below)):
        return line, text.rfind("\n", 0, following) + 1
    return before, after - text[:after].endswith("\r")


def gap(form: EditableForm, *, before: bool) -> str:
    """The line ends that a new form needs between it and a form: as many as there are on that side now."""
    text = form.file.text
    start, end = beginning(form), finish(form)
    above = text.count("\n", len(text[:start].rstrip()), start) if text[:start].strip() else 0
    below = text.count("\n", end, len(text) - len(text[end:].lstrip())) if text[end:].strip() else 0
    found = (above or below) if before else (below or above)
    if _is_inside(form):  # what is before may be the beginning of the form around, and what follows its end
        found = max(above, below)
    return newline(form) * (found or _USUAL)


def margin(form: EditableForm) -> str:
    """The space that brings a line before or after a form to the column where it begins."""
    return " " * (form.file.lines.place(_with_conditionals(form))[1] - 1)


def newline(form: EditableForm) -> str:
    """How the lines of its file end."""
    return "\r\n" if "\r\n" in form.file.text else "\n"


def _is_inside(form: EditableForm) -> bool:
    return form.around.toplevel.node.start != form.start


def _with_conditionals(form: EditableForm) -> int:
    """Where a form begins with the conditionals before it, such as ``#+sbcl``."""
    text, before = form.file.text, _end_of_what_is_before(form)
    faults = ReadText(text[before : form.start], form.file.project.features).faults
    return before + faults.found[0].start if faults.found else form.start


def _end_of_what_is_before(form: EditableForm) -> int:
    """Where the last thing ends that is read before a form, or the list begins that it is the first of."""
    node, start = form.around.toplevel.node, form.start
    if node.start == start:
        ends = [one.toplevel.node.end for one in form.file.forms if one.toplevel.node.end <= start]
        return max(ends, default=0)
    while True:
        around = next((one for one in node.items if one.start < start < one.end), None)
        if around is None:
            return max([node.start + 1, *(one.end for one in node.items if one.end <= start)])
        node = around


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)
