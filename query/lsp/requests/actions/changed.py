"""Changes to one or several documents, as clients make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lsprotocol.types import TextEdit, WorkspaceEdit

from ....edit.changes import Edit
from ...documents.edited import Document


def workspace_edit(edits: Mapping[Document, Iterable[Edit]]) -> WorkspaceEdit:
    """The edits of documents, whose offsets count in their texts."""
    return WorkspaceEdit(
        changes={document.uri: _text_edits(document, of_it) for document, of_it in edits.items()}
    )


def _text_edits(document: Document, edits: Iterable[Edit]) -> list[TextEdit]:
    return [TextEdit(document.lines.range(one.start, one.end), one.new) for one in sorted(set(edits))]
