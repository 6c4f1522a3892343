"""What a request is about: a document, the index that answers for it, and where things are now."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol.types import Position

from ..documents.edited import Document, TextReader
from ..documents.opened import Documents
from ..indexed.places import PresentPlaces
from ..indexed.project import IndexedProject


@dataclass(frozen=True, slots=True)
class Asked:
    """The surroundings of one request."""

    project: IndexedProject
    places: PresentPlaces
    documents: Documents
    document: Document

    @property
    def reader(self) -> TextReader:
        """What the document's text is read by."""
        return self.project.reader

    def offset(self, position: Position) -> int:
        """The character offset of a position in the document."""
        return self.document.lines.offset(position)
