"""The action that lets a system depend on another one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from ....edit.changes import Edit
from ....syntax.names.designators import designated
from ....syntax.nodes import Atom, Form, forms_in
from ....syntax.tokens import Tokens
from ...documents.edited import Document
from ...indexed import sql
from ..asked import Asked

_DEPENDS = ":depends-on"
_MARKS = ("#:", ":", '"')


def depending(asked: Asked, system: str) -> Iterator[tuple[str, Document, Edit]]:
    """Yield what lets the systems of a document's definition file depend on another one.

    Each with the name of the system that is changed, and the document of the file.
    """
    document = _definition_file(asked)
    if document is None:
        return
    for chunk in document.chunks(asked.reader):
        tokens = document.tokens_of(asked.reader, chunk)
        for form in forms_in(chunk.toplevel.node):
            if not _defines_system(form) or not chunk.toplevel.whole:
                continue
            name = designated(form.items[1], tokens)
            edit = _edit(document.text, chunk.start, form, system, tokens)
            if name is not None and name.upper() != system.upper() and edit is not None:
                yield name.lower(), document, edit


def _definition_file(asked: Asked) -> Document | None:
    """The file that defines the system of a document: the index tells, else the next one above it."""
    number = asked.project.file_at(asked.document.path)
    rows = asked.project.index.rows(sql.SYSTEM_OF_FILE, file=number) if number is not None else []
    for _, recorded in rows:
        if recorded is not None and (found := asked.documents.at(asked.project.path_of(recorded))):
            return found
    folder = asked.project.folder
    for above in Path(asked.document.path).parents:
        files = sorted(above.glob("*.asd"))
        if files:
            return asked.documents.at(str(files[0]))
        if folder is None or above == folder:
            return None
    return None


def _defines_system(form: Form) -> bool:
    head = form.items[0] if form.kind == "(" and len(form.items) > 1 else None
    return isinstance(head, Atom) and head.text.rpartition(":")[2].lower() == "defsystem"


def _edit(text: str, start: int, form: Form, system: str, tokens: Tokens) -> Edit | None:
    """What adds a system to those that a form depends on; None if it does."""
    items = form.items
    for key, value in pairwise(items):
        if not isinstance(key, Atom) or key.text.lower() != _DEPENDS or not isinstance(value, Form):
            continue
        named = [designated(one, tokens) or "" for one in value.items]
        if system.upper() in (one.upper() for one in named):
            return None
        if not value.items:
            return Edit(start + value.end - 1, start + value.end - 1, _like("", system))
        last = value.items[-1]
        at = start + last.end
        line = text.rfind("\n", 0, start + last.start) + 1
        column = start + last.start - line
        is_alone = len(value.items) > 1 and not text[line : start + last.start].strip()
        between = f"\n{' ' * column}" if is_alone else " "
        return Edit(at, at, f"{between}{_like(last.text, system)}")
    at = start + items[1].end
    return Edit(at, at, f"\n  {_DEPENDS} ({_like(items[1].text, system)})")


def _like(written: str, system: str) -> str:
    """The name of a system, written like another one."""
    mark = next((one for one in _MARKS if written.startswith(one)), '"')
    return f'"{system}"' if mark == '"' else f"{mark}{system}"
