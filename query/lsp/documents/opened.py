"""The documents that a client has open, and files that it has not opened."""

from __future__ import annotations

import os
from collections.abc import Iterator

from pygls.uris import from_fs_path

from .edited import Document
from .reading import text_of_file

_MOST_CLOSED = 200
_MOST_CHARACTERS = 20_000_000  # of the texts of files that are not open


class Documents:
    """The open documents, by their URIs and by the files that they stand for."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        self._by_uri: dict[str, Document] = {}
        self._by_path: dict[str, Document] = {}
        self._closed: dict[str, tuple[tuple[int, int], Document]] = {}
        """Files that were asked about, by their URIs, each with the state that it was read in."""

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._by_uri.values()))

    def open(self, uri: str, path: str, text: str, version: int | None) -> Document:
        """Open a document that stands for the file at ``path``."""
        document = Document(uri, path, text, version, self.encoding)
        self._by_uri[uri] = document
        self._closed.pop(uri, None)
        self._by_path[os.path.realpath(path)] = document
        return document

    def close(self, uri: str) -> Document | None:
        """Close a document, and return it, if it was open: the file on the disk counts again."""
        document = self._by_uri.pop(uri, None)
        if document is not None:
            self._by_path.pop(os.path.realpath(document.path), None)
        return document

    def get(self, uri: str) -> Document | None:
        """The open document with this URI."""
        return self._by_uri.get(uri)

    def of_file(self, path: str) -> Document | None:
        """The open document that stands for a file."""
        return self._by_path.get(os.path.realpath(path)) if self._by_path else None

    def unopened(self, uri: str, path: str) -> Document:
        """A document that the client has not opened: the file as it is. Raises OSError and ValueError."""
        status = os.stat(path)  # noqa: PTH116
        state = status.st_mtime_ns, status.st_size
        known = self._closed.get(uri)
        if known is None or known[0] != state:
            document = Document(uri, path, text_of_file(path), None, self.encoding)
            held = sum(len(one.text) for _, one in self._closed.values())
            if len(self._closed) >= _MOST_CLOSED or held + len(document.text) > _MOST_CHARACTERS:
                self._closed.clear()
            known = self._closed[uri] = state, document
        return known[1]

    def at(self, path: str) -> Document | None:
        """The document that stands for a file, open or not; None if it cannot be read."""
        document = self.of_file(path)
        if document is not None:
            return document
        try:
            return self.unopened(from_fs_path(path) or path, path)
        except (OSError, ValueError):
            return None
