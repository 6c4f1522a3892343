"""The action that sorts the form of a package, and leaves out imports that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import CodeAction, CodeActionKind

from ...documents.edited import Document
from ..asked import Asked
from .changed import workspace_edit
from .package_files import files_beside, package_forms, tokens_named

_TITLE = "Sort the names of the package, without unused imports"


def tidied_package(asked: Asked, start: int, _end: int) -> Iterator[CodeAction]:
    """Yield the action for the form of a package around a place."""
    for form in package_forms(asked, asked.document):
        if not form.start <= start <= form.end or form.name is None:
            continue
        documents = files_beside(asked, asked.document)
        if documents is None:
            return
        name = form.name
        unused = {
            imported for imported, _ in form.imports() if not _is_used(asked, documents, name, imported)
        } - form.exports()
        if edits := form.sorting(unused):
            edit = workspace_edit({asked.document: edits})
            yield CodeAction(_TITLE, kind=CodeActionKind.SourceOrganizeImports, edit=edit)


def _is_used(asked: Asked, documents: list[Document], package: str, name: str) -> bool:
    """Whether text that is read in a package, or that names the package, has a name."""
    meanings = asked.reader.meanings
    for document in documents:
        for within, token, _, _ in tokens_named(asked, document, name):
            prefix = meanings.package(token.package, within) if token.package is not None else within
            if (meanings.package(prefix, prefix) if prefix is not None else None) in (package, None):
                return True
    return False
