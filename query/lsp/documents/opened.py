"""The documents that a client has open."""

from __future__ import annotations

import os
from collections.abc import Iterator

from .edited import Document


class Documents:
    """The open documents, by their URIs and by the files that they stand for."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        self._by_uri: dict[str, Document] = {}
        self._by_path: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._by_uri.values()))

    def open(self, uri: str, path: str, text: str, version: int | None) -> Document:
        """Open a document that stands for the file at ``path``."""
        document = Document(uri, path, text, version, self.encoding)
        self._by_uri[uri] = document
        self._by_path[os.path.realpath(path)] = document
        return document

    def close(self, uri: str) -> None:
        """Close a document: the file on the disk counts again."""
        document = self._by_uri.pop(uri, None)
        if document is not None:
            self._by_path.pop(os.path.realpath(document.path), None)

    def get(self, uri: str) -> Document | None:
        """The open document with this URI."""
        return self._by_uri.get(uri)

    def of_file(self, path: str) -> Document | None:
        """The open document that stands for a file."""
        return self._by_path.get(os.path.realpath(path)) if self._by_path else None
