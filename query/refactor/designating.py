"""Edits of text that names a symbol without being read as it: designators, comments and documents."""

from __future__ import annotations

from ..edit.changes import Edit
from ..index.written import own_name
from ..syntax.walk.files import WalkedForm
from .gathered import GatheredEdits
from .project.prose import prose_names
from .project.texts import ProjectText


def designating(one: ProjectText, form: WalkedForm | None, start: int, piece: str, new: str) -> Edit:
    """The edit of a designator in a form, so that it designates a new name; its marks stay."""
    if piece.startswith('"'):
        escaped = new.replace("\\", "\\\\").replace('"', '\\"')
        return Edit(start, start + len(piece), f'"{escaped}"')
    bare = piece.removeprefix("#").removeprefix(":")
    end = start + len(piece)
    return Edit(end - len(bare), end, one.written(new, form, piece))


def gather_prose(gathered: GatheredEdits, one: ProjectText, old: str, new: str, *, edits: bool) -> None:
    """Gather where comments, strings and documents contain a name; with ``edits``, also edits of it."""
    upcase = gathered.project.index.upcase
    plain, name = own_name(old, upcase), own_name(new, upcase)
    for start, written in prose_names(one, old):
        # A name that is a word as well is one in prose unless it is in capitals.
        if written not in (written.upper(), plain) or (plain.isalpha() and not written.isupper()):
            continue
        gathered.document(one, start)
        if edits:
            text = name.upper() if written.isupper() else name
            gathered.add(one, None, Edit(start, start + len(written), text))
