"""Sources that are not on this machine: their text comes from the index, read-only.

A client that can ask for the content of a document (LSP 3.18, workspace/textDocumentContent) gets a URI of
the scheme ``oblist``. Any other client gets a file in the memory of this process (Linux), or else in a
temporary folder that only the user can enter and that goes with the server.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path
from urllib.parse import quote, unquote

from ...errors import QueryError
from .project import IndexedProject

SCHEME = "oblist"
_SEALS = 0x0001 | 0x0002 | 0x0004 | 0x0008  # F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE
_ADD_SEALS = 1033  # F_ADD_SEALS (linux/fcntl.h), which the fcntl module has from Python 3.13 on
_MOST_FILES = 200


class NoContentError(QueryError):
    """The URI names no text that an index of this server has."""


class AbsentSources:
    """Gives out URIs for the indexed text of files that are not on this machine."""

    def __init__(self) -> None:
        self.asks_for_content = False
        """Whether the client can ask for content."""
        self._uris: dict[tuple[str, int], str] = {}
        self._memory: list[int] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._paths: dict[str, str] = {}

    def uri(self, project: IndexedProject, file: int, path: str) -> str:
        """The URI under which a client finds the indexed text of a file."""
        if self.asks_for_content:
            uri = f"{SCHEME}://{quote(path)}?index={quote(str(project.path), safe='')}"
        else:
            uri = self._of_file(project, file, path)
        self._paths[uri] = path
        return uri

    def path(self, uri: str) -> str | None:
        """The path of the file whose text a URI stands for; None if it was not given out here."""
        if uri.startswith(f"{SCHEME}:"):
            return unquote(uri.partition("?")[0].removeprefix(f"{SCHEME}://"))
        return self._paths.get(uri)

    def _of_file(self, project: IndexedProject, file: int, path: str) -> str:
        key = project.build, file
        if key not in self._uris:
            if len(self._uris) >= _MOST_FILES:
                self.close()
            text = (project.text(file) or "").encode("utf-8", "surrogatepass")
            make = self._in_memory if hasattr(os, "memfd_create") else self._in_folder
            # The path is an index's, so it decides nothing but the last part of the name.
            self._uris[key] = make(os.path.basename(path), text)  # noqa: PTH119
        return self._uris[key]

    def _in_memory(self, name: str, text: bytes) -> str:
        descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self._memory.append(descriptor)
        while text:
            text = text[os.write(descriptor, text) :]
        fcntl.fcntl(descriptor, _ADD_SEALS, _SEALS)
        return f"file:///proc/{os.getpid()}/fd/{descriptor}"

    def _in_folder(self, name: str, text: bytes) -> str:
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="oblist-sources-")
        there = Path(tempfile.mkdtemp(dir=self._folder.name), f"of-{name}")
        there.write_bytes(text)
        there.chmod(0o400)
        return there.as_uri()

    def close(self) -> None:
        """Drop the files."""
        for descriptor in self._memory:
            os.close(descriptor)
        self._memory.clear()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._uris.clear()


def content(uri: str, projects: list[IndexedProject]) -> str:
    """The text behind a URI of the scheme ``oblist``, from one of the open indexes. Raises NoContentError."""
    address, _, query = uri.partition("?")
    path, index = unquote(address.removeprefix(f"{SCHEME}://")), unquote(query.removeprefix("index="))
    for project in projects:
        if str(project.path) == index:
            file = project.file_at(path)
            text = project.text(file) if file is not None else None
            if text is not None:
                return text
            raise NoContentError(f"{index} does not contain the text of {path}.")
    raise NoContentError(f"The index {index} is not open.")
