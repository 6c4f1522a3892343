"""Rename: the edits of all files of a project, or the reason why there are none."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from lsprotocol.types import (
    AnnotatedTextEdit,
    ChangeAnnotation,
    OptionalVersionedTextDocumentIdentifier,
    PrepareRenamePlaceholder,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)
from pygls.uris import from_fs_path

from oblist.indexer.left_out import REFERENCES

from ...index.written import typed_name
from ...refactor.errors import RefactorError
from ...refactor.plan import EditPlan, PlannedPlace
from ...refactor.project.texts import ProjectTexts
from ...refactor.rename.placed import renamable_at
from ...refactor.rename.symbols import renamed_symbol
from ..documents.lines import DocumentLines
from .asked import Asked
from .pointed import Global, Local
from .project_texts import marks_before, project_texts

_MOST_TOLD = 3
_DOCUMENTED = "documentation"


def prepared(asked: Asked, at: Global | Local) -> PrepareRenamePlaceholder:
    """The extent of the name that is renamed, without a package, and the name. Raises RefactorError."""
    texts, by = _texts(asked), marks_before(asked.document)
    path = os.path.realpath(asked.document.path)
    if not _is_in_code(at):
        start, end = at.end - len(asked.document.text[at.start : at.end].rpartition(":")[2]), at.end
    else:
        found = renamable_at(texts, texts.file(path), at.start - by)
        start, end = found.start + by, found.end + by
    return PrepareRenamePlaceholder(asked.document.lines.range(start, end), asked.document.text[start:end])


def _is_in_code(at: Global | Local) -> bool:
    """Whether it stands in code: in comments and strings, only symbols can be renamed."""
    return isinstance(at, Local) or at.relation is not None


def _texts(asked: Asked) -> ProjectTexts:
    texts = project_texts(asked) if asked.project.folder is not None else None
    if texts is None:
        raise RefactorError("the index used for this file is not the index of a single project")
    texts.index.require(REFERENCES)
    return texts


def renamed(asked: Asked, at: Global | Local, new: str, *, annotates: bool, versions: bool) -> WorkspaceEdit:
    """The edits that rename what stands at a place. Raises RefactorError.

    A client that ``annotates`` gets those in comments and documentation, too: it asks before it makes them.
    One that takes ``versions`` is told which text of a document they are for.
    """
    texts = _texts(asked)
    if isinstance(at, Local) or at.relation is not None:
        one = texts.file(os.path.realpath(asked.document.path))
        plan = renamable_at(texts, one, at.start - marks_before(asked.document)).plan(new)
    else:
        name = typed_name(at.symbol.name, at.symbol.package or "", texts.index.upcase, external=False)
        plan = renamed_symbol(texts, name, new, "CL-USER")
    if plan.unplaced:
        raise RefactorError(_unplaced(plan))
    return _edit(asked, plan, annotates=annotates and versions, versions=versions)


def _unplaced(plan: EditPlan) -> str:
    told = [f"{Path(one.path).name}:{one.line} ({one.why})" for one in plan.unplaced[:_MOST_TOLD]]
    rest = len(plan.unplaced) - len(told)
    more = f" and {rest} more" if rest > 0 else ""
    return (
        f"{plan.subject} was not renamed: it may also be named at {'; '.join(told)}{more}. "
        "Check these places, then use oblist rename --leave-unplaced"
    )


def _edit(asked: Asked, plan: EditPlan, *, annotates: bool, versions: bool) -> WorkspaceEdit:
    documented = _by_path(plan.documented) if annotates else {}
    changes = []
    for path in [*plan.edits, *(one for one in documented if one not in plan.edits)]:
        document = asked.documents.at(path)
        if document is None:
            raise RefactorError(f"{path} cannot be read")
        skipped = marks_before(document)
        lines: DocumentLines = document.lines
        edits: list[TextEdit | AnnotatedTextEdit] = [
            TextEdit(lines.range(one.start + skipped, one.end + skipped), one.new)
            for one in plan.edits.get(path, ())
        ]
        for place in documented.get(path, ()):
            start = lines.offset_of_line(place.line - 1) + place.column - 1
            written = document.text[start : start + len(plan.subject)]
            new = plan.renamed[plan.subject]
            new = new.upper() if written.isupper() else new
            edits.append(
                AnnotatedTextEdit(_DOCUMENTED, lines.range(start, start + len(written)), new_text=new)
            )
        identifier = OptionalVersionedTextDocumentIdentifier(
            document.uri if document.version is not None else from_fs_path(path) or path, document.version
        )
        changes.append(TextDocumentEdit(identifier, edits))
    if not versions:
        plain = {
            one.text_document.uri: [edit for edit in one.edits if isinstance(edit, TextEdit)]
            for one in changes
        }
        return WorkspaceEdit(changes=plain)
    annotation = ChangeAnnotation(
        "Comments and documentation", needs_confirmation=True, description=f"{plan.subject} in text"
    )
    return WorkspaceEdit(
        document_changes=changes, change_annotations={_DOCUMENTED: annotation} if documented else None
    )


def _by_path(places: Iterable[PlannedPlace]) -> dict[str, list[PlannedPlace]]:
    found: dict[str, list[PlannedPlace]] = {}
    for one in places:
        found.setdefault(one.path, []).append(one)
    return found
