"""What a request is about: a document, the index that answers for it, and where things are now."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol.types import Position

from ..documents.edited import Document, Reader
from ..documents.opened import Documents
from ..indexed.places import Places
from ..indexed.project import Project


@dataclass(frozen=True, slots=True)
class Asked:
    """The surroundings of one request."""

    project: Project
    places: Places
    documents: Documents
    document: Document

    @property
    def reader(self) -> Reader:
        """What the document's text is read by."""
        return self.project.reader

    def offset(self, position: Position) -> int:
        """The character offset of a position in the document."""
        return self.document.lines.offset(position)
