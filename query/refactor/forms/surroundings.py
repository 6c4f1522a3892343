"""What belongs to a form besides its text: conditionals and comments before it, a comment after it."""

from __future__ import annotations

from ...syntax.texts import ReadText
from .found import EditableForm

_COMMENT, _HEADER = ";", ";;;;"


def beginning(form: EditableForm) -> int:
    """Where what belongs to a form begins: its conditionals, and the comment right above.

    A comment at the top of the file, or a line with four semicolons, is about more than the form.
    """
    text = form.file.text
    own = start = _with_conditionals(form)
    while (line := text.rfind("\n", 0, start) + 1) and not text[line:start].strip():
        above = text.rfind("\n", 0, line - 1) + 1
        comment = text[above:line].lstrip()
        if not comment.startswith(_COMMENT) or comment.startswith(_HEADER):
            return start
        start = line - len(comment)
    return start if text[:start].strip() else own


def finish(form: EditableForm) -> int:
    """Where a form ends with the comment that follows on its last line."""
    text, end = form.file.text, form.end
    rest = text[end : _line_end(text, end)].rstrip("\r")
    return end + len(rest.rstrip()) if rest.lstrip().startswith(_COMMENT) else end


def whole_lines(form: EditableForm) -> tuple[int, int]:
    """The extent of what belongs to a form, with the lines that are then empty, or the space before it."""
    text = form.file.text
    start, end = beginning(form), finish(form)
    line, after = text.rfind("\n", 0, start) + 1, _line_end(text, end)
    if text[line:start].strip() or text[end:after].strip():
        return len(text[:start].rstrip()), end
    while after < len(text) and not text[after : _line_end(text, after + 1)].strip():
        after = _line_end(text, after + 1)
    if after >= len(text.rstrip()):  # the last form
        return len(text[:line].rstrip()), len(text.rstrip())
    return line, after + 1


def margin(form: EditableForm) -> str:
    """The space that brings a line below a form to its column."""
    return " " * (form.file.lines.place(form.start)[1] - 1)


def newline(form: EditableForm) -> str:
    """How the lines of its file end."""
    return "\r\n" if "\r\n" in form.file.text else "\n"


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
