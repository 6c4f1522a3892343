"""One client: its documents, the indexes of its folders, and what its requests are about."""

from __future__ import annotations

from pathlib import Path

from lsprotocol.types import Position

from ..errors import QueryError
from ..index.reading import Reading
from .documents.edited import Document
from .documents.opened import Documents
from .documents.reading import is_path, path_of_uri, without_file
from .indexed.absent import AbsentSources, content
from .indexed.folders import Projects
from .indexed.places import PresentPlaces
from .indexed.project import IndexedProject
from .requests.asked import Asked
from .requests.pointed import Global, Local, pointed


class NoDocumentError(QueryError):
    """A request is about a document that is neither open nor a readable file."""


class Session:
    """The state of one connection."""

    def __init__(self, index: Path | None) -> None:
        """``index`` is the index that the user named for everything; None: that of each folder."""
        self.documents = Documents()
        self.projects = Projects(index)
        self.absent = AbsentSources()
        self._places: dict[Path, PresentPlaces] = {}

    def readings(self) -> list[Reading]:
        """The indexes that have been asked."""
        return [project.index for project in self.projects.opened()]

    def close(self) -> None:
        """Close the indexes."""
        self.projects.close()
        self.absent.close()

    def open(self, uri: str, text: str, version: int | None) -> Document:
        """Take a document over from the client."""
        return self.documents.open(uri, self.path(uri), text, version)

    def close_document(self, uri: str) -> None:
        """Forget a document that the client has closed: the file on the disk counts again."""
        document = self.documents.close(uri)
        if document is None:
            return
        for project in self.projects.opened():
            project.forget_checks(document.path)
        for places in self._places.values():
            places.forget(uri)

    def path(self, uri: str) -> str:
        """The path of the file that a URI stands for; the URI itself if it names no file."""
        given_out = self.absent.path(uri)
        if given_out is not None and is_path(given_out):
            return given_out
        return path_of_uri(uri) or without_file(uri)

    def asked(self, uri: str) -> Asked:
        """The surroundings of a request about a document. Raises QueryError."""
        document = self.documents.get(uri) or self._unopened(uri)
        return self._about(self.projects.of(document.path), document)

    def is_large(self, uri: str) -> bool:
        """Whether a document is too large for its forms to be read. Raises QueryError."""
        return (self.documents.get(uri) or self._unopened(uri)).is_large

    def asked_of_any(self) -> list[Asked]:
        """The surroundings of a request that concerns no document, in each project. Raises QueryError."""
        nothing = Document("", "", "", None, self.documents.encoding)
        return [self._about(project, nothing) for project in self.projects.all()]

    def _about(self, project: IndexedProject, document: Document) -> Asked:
        places = self._places.get(project.path)
        if places is None or not places.belong_to(project):
            places = self._places[project.path] = PresentPlaces(project, self.documents, self.absent.uri)
        return Asked(project, places, self.documents, document)

    def pointed(self, uri: str, position: Position) -> tuple[Asked, Global | Local | None]:
        """What stands at a position of a document. Raises QueryError."""
        asked = self.asked(uri)
        return asked, pointed(asked, asked.offset(position))

    def content(self, uri: str) -> str:
        """The text of a source that is not on this machine. Raises QueryError."""
        return content(uri, self.projects.all())

    def _unopened(self, uri: str) -> Document:
        """A document that the client asks about without having opened it: the file as it is.

        It has to be in a workspace folder, or among the sources of an index. Raises QueryError.
        """
        path = self.path(uri)
        if not self.projects.has(path):
            raise NoDocumentError(
                f"{uri} is not open, and is neither in a workspace folder nor a source of an index, so it is "
                "not read. Open it in the editor, or add its folder to the workspace."
            )
        try:
            return self.documents.unopened(uri, path)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise NoDocumentError(f"{uri} is not open, and cannot be read: {why}.") from error
