"""What may be read or compiled as something else in another file."""

from __future__ import annotations

from ...syntax.nodes import Form, forms_in
from ..errors import RefactorError
from ..project.texts import ProjectText
from .forms import SystemForm, key_of

_POLICY = ("optimize", "muffle-conditions")
_FILE_NAMES = frozenset(
    ("*LOAD-TRUENAME*", "*LOAD-PATHNAME*", "*COMPILE-FILE-TRUENAME*", "*COMPILE-FILE-PATHNAME*")
)


def refuse_strange(moved: SystemForm, other: ProjectText) -> None:
    """Raise RefactorError if a form may be read or compiled as something else in another file."""
    toplevel = moved.walked.toplevel
    node = toplevel.node
    if not isinstance(node, Form) or not (toplevel.whole and toplevel.standard and toplevel.closed):
        raise RefactorError(f"the form at {moved.shown} is not in standard syntax")
    if any(one.kind == "?" or (one.kind == "#." and one.items[0].items) for one in forms_in(node)):
        raise RefactorError(f"part of the form at {moved.shown} is computed at read time")
    if any(one.symbol.name in _FILE_NAMES for one in moved.walked.walked.occurrences):
        raise RefactorError(f"the form at {moved.shown} depends on which file it is in")
    for one in (moved.file, other):
        for form in one.forms:
            text = one.text[form.toplevel.node.start : form.toplevel.node.end].lower()
            if "readtable" in text and not text.startswith("(def"):
                raise RefactorError(f"{one.path} may change how the definition is read")
    if _policies(moved.file) != _policies(other):
        raise RefactorError(f"{moved.file.path} and {other.path} are compiled with different policies")
    _refuse_declaimed(moved)


def _refuse_declaimed(moved: SystemForm) -> None:
    """Raise RefactorError if a form of the file proclaims something of what moves."""
    for form in moved.file.forms:
        node = form.toplevel.node
        if not node.items or node.items[0].word not in ("DECLAIM", "PROCLAIM"):
            continue
        if any(key_of(each.symbol) in moved.defined for each in form.walked.occurrences):
            place = moved.file.place(node.start)
            raise RefactorError(f"{place.path}:{place.line} is a proclamation about the name: {place.text}")


def _policies(one: ProjectText) -> list[str]:
    """The proclamations of a file that say how it is compiled."""
    found = []
    for form in one.forms:
        text = one.text[form.toplevel.node.start : form.toplevel.node.end].lower()
        if text.startswith("(declaim") and any(word in text for word in _POLICY):
            found.append(" ".join(text.split()))
    return found
