"""The texts of the project that a document belongs to, as they are in the editor, and edits of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from lsprotocol.types import WorkspaceEdit

from ...edit.changes import Edit
from ...refactor.errors import RefactorError
from ...refactor.project.texts import ProjectTexts
from ..documents.edited import Document
from .actions.changed import workspace_edit
from .asked import Asked

BOM = "\ufeff"


def project_texts(asked: Asked) -> ProjectTexts | None:
    """The texts below the folder of the document's project; None if it belongs to no project."""
    folder = asked.project.folder_around(asked.document.path)
    if folder is None:
        return None
    opened = {os.path.realpath(one.path): one.text.removeprefix(BOM) for one in asked.documents}
    return ProjectTexts(asked.project.index, folder, opened, asked.reader.meanings)


def marks_before(document: Document) -> int:
    """How many characters of a document the texts of the project lack: its byte order mark."""
    return len(document.text) - len(document.text.removeprefix(BOM))


def edit_of(asked: Asked, edits: Mapping[str, Iterable[Edit]]) -> WorkspaceEdit:
    """Edits by the paths of files as a client makes them. Raises RefactorError if a file cannot be read."""
    found = {}
    for path, of_it in edits.items():
        document = asked.documents.at(path)
        if document is None:
            raise RefactorError(f"{path} cannot be read")
        by = marks_before(document)
        found[document] = [one.moved(by) for one in of_it]
    return workspace_edit(found)
