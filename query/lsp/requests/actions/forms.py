"""Actions on the form at a place: move its parentheses, wrap it, or add documentation to it."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import CodeAction, CodeActionKind

from ....edit.changes import Edit
from ....edit.forms.documenting import documented
from ....edit.forms.lists import barf_backward, barf_forward, slurp_backward, slurp_forward, wrapped
from ....syntax.buffer import Chunk
from ..asked import Asked
from ..outline import outlined_forms
from .changed import workspace_edit

_MOVES = (
    ("Slurp the next form", slurp_forward),
    ("Slurp the form before", slurp_backward),
    ("Barf the last form", barf_forward),
    ("Barf the first form", barf_backward),
)
_WRAPPERS = (("PROGN", "progn"), ("LET", "let ()"))


def form_actions(asked: Asked, start: int, end: int) -> Iterator[CodeAction]:
    """Yield the actions on the form in an extent, or at its start."""
    document = asked.document
    chunk = document.chunk_at(asked.reader, start)
    if chunk is None or end > chunk.end or not chunk.toplevel.whole or not chunk.toplevel.standard:
        return
    text = document.text[chunk.start : chunk.end]
    documentation = _documentation(asked, chunk, text, start - chunk.start)
    if documentation is not None:
        yield _action(asked, chunk, "Add a documentation string", [documentation])
    for shown, before in _WRAPPERS:
        if edits := wrapped(text, start - chunk.start, end - chunk.start, before):
            yield _action(asked, chunk, f"Wrap in {shown}", edits)
    for title, move in _MOVES:
        if edits := move(text, start - chunk.start):
            yield _action(asked, chunk, title, edits)


def _documentation(asked: Asked, chunk: Chunk, text: str, at: int) -> Edit | None:
    """What documents the innermost definition around an offset of a toplevel form."""
    reader = asked.reader
    package = asked.document.package_of(reader, chunk)
    around = [one for one in outlined_forms(chunk, reader, package) if one.form.start <= at <= one.form.end]
    if not around:
        return None
    tokens = asked.document.tokens_of(reader, chunk)
    return documented(text, around[-1].form, around[-1].operator, tokens, reader.features)


def _action(asked: Asked, chunk: Chunk, title: str, edits: list[Edit]) -> CodeAction:
    moved = [one.moved(chunk.start) for one in edits]
    return CodeAction(
        title, kind=CodeActionKind.RefactorRewrite, edit=workspace_edit({asked.document: moved})
    )
