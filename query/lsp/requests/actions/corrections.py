"""Code actions: what to write instead of a name that is wrong, one by one or all that are certain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lsprotocol.types import CodeAction, CodeActionKind, Diagnostic, TextEdit, WorkspaceEdit

from ...documents.edited import Document

_CORRECT_ALL = "Correct the names that are certainly misspelt"


def quick_fixes(document: Document, found: Iterable[Diagnostic]) -> Iterator[CodeAction]:
    """Yield an action for each suggestion of the diagnostics that a client shows."""
    for one in found:
        data = _data(document, one)
        for new in data.get("suggestions", ()):
            yield CodeAction(
                f"Write {new}",
                kind=CodeActionKind.QuickFix,
                diagnostics=[one],
                is_preferred=True if new == data.get("certain") else None,
                edit=_edit(document, [TextEdit(one.range, new)]),
            )


def fix_all(document: Document, found: Iterable[Diagnostic]) -> CodeAction | None:
    """The action that makes all certain corrections of a document; None if there are none."""
    edits = [
        TextEdit(one.range, certain)
        for one in found
        if isinstance(certain := _data(document, one).get("certain"), str)
    ]
    if not edits:
        return None
    return CodeAction(_CORRECT_ALL, kind=CodeActionKind.SourceFixAll, edit=_edit(document, edits))


def _data(document: Document, one: Diagnostic) -> dict[str, Any]:
    """What a diagnostic says of corrections, if the document still has the text that it is about."""
    data = one.data
    if not isinstance(data, dict):
        return {}
    start, end = (document.lines.offset(at) for at in (one.range.start, one.range.end))
    return data if document.text[start:end] == data.get("written") else {}


def _edit(document: Document, edits: list[TextEdit]) -> WorkspaceEdit:
    return WorkspaceEdit(changes={document.uri: edits})
