"""The outline of a file: a line for each toplevel form, and those of some names whole."""

from __future__ import annotations

from collections.abc import Iterator

from ...questions.definition.digest import form_digest
from ...syntax.nodes import Form, Node
from ...syntax.walk.files import WalkedForm
from ..project.texts import ProjectText
from .found import defines

_LONGEST = 100
_HEAD = 3  # items: the operator, the name, and what it takes
_MOST_QUALIFIERS = 2


def folded(file: ProjectText, unfold: str | None, *, is_own: bool) -> list[str]:
    """The outline, with the forms that define the name to ``unfold`` as they are.

    With ``is_own``, these have a digest, by which they can be changed.
    """
    lines: list[str] = []
    for form in file.forms:
        node = form.toplevel.node
        if unfold is not None and _is_named(file, form, unfold):
            lines += _unfolded(file, form, is_own=is_own)
            continue
        first, last = file.lines.place(node.start)[0], file.lines.place(node.end - 1)[0]
        lines.append(f"{first if first == last else f'{first}-{last}'}  {_head(file.text, node)}")
    return lines


def _is_named(file: ProjectText, form: WalkedForm, name: str) -> bool:
    upcase = file.project.index.upcase
    return any(defines(one, name, upcase) for one in form.walked.definitions)


def _unfolded(file: ProjectText, form: WalkedForm, *, is_own: bool) -> Iterator[str]:
    """Yield a line that says where a form is, with the digests of what it defines, then its text."""
    node = form.toplevel.node
    made = {one.form_start: one.form_end for one in form.walked.definitions if one.macro}
    digests = [form_digest(file.shown, file.text[start:end]) for start, end in made.items()] if is_own else []
    shown = f", digest {' '.join(digests)}" if digests else ""
    yield f";;; line {file.lines.place(node.start)[0]}{shown}"
    yield from file.text[node.start : node.end].splitlines()


def _head(text: str, node: Node) -> str:
    """The beginning of a form on one line: its operator, its name, and its lambda list if that is short."""
    whole = " ".join(text[node.start : node.end].split())
    if len(whole) <= _LONGEST or not isinstance(node, Form):
        return whole[:_LONGEST]
    count = _HEAD
    while count < min(len(node.items), _HEAD + _MOST_QUALIFIERS) and not isinstance(
        node.items[count - 1], Form
    ):
        count += 1
    while count > 1:
        head = " ".join(text[node.start : node.items[:count][-1].end].split())
        if len(head) <= _LONGEST:
            return f"{head} ...)"
        count -= 1
    return f"{whole[:_LONGEST]} ..."
