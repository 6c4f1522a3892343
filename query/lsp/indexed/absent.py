"""Sources that are not on this machine: their text comes from the index, read-only.

A client that can ask for the content of a document (LSP 3.18, workspace/textDocumentContent) gets a URI of
the scheme ``oblist``. Any other client gets a file in the memory of this process: nothing is written.
"""

from __future__ import annotations

import fcntl
import os
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
        self._memory: dict[tuple[str, int], int] = {}
        self._paths: dict[str, str] = {}

    def uri(self, project: IndexedProject, file: int, path: str) -> str:
        """The URI under which a client finds the indexed text of a file."""
        if self.asks_for_content:
            uri = f"{SCHEME}://{quote(path)}?index={quote(str(project.path), safe='')}"
        else:
            uri = self._in_memory(project, file, path)
        self._paths[uri] = path
        return uri

    def path(self, uri: str) -> str | None:
        """The path of the file whose text a URI stands for; None if it was not given out here."""
        if uri.startswith(f"{SCHEME}:"):
            return unquote(uri.partition("?")[0].removeprefix(f"{SCHEME}://"))
        return self._paths.get(uri)

    def _in_memory(self, project: IndexedProject, file: int, path: str) -> str:
        key = project.build, file
        if key not in self._memory:
            if len(self._memory) >= _MOST_FILES:
                self.close()
            descriptor = os.memfd_create(os.path.basename(path), os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)  # noqa: PTH119
            content = (project.text(file) or "").encode("utf-8", "surrogatepass")
            while content:
                content = content[os.write(descriptor, content) :]
            fcntl.fcntl(descriptor, _ADD_SEALS, _SEALS)
            self._memory[key] = descriptor
        return f"file:///proc/{os.getpid()}/fd/{self._memory[key]}"

    def close(self) -> None:
        """Drop the files in memory."""
        for descriptor in self._memory.values():
            os.close(descriptor)
        self._memory.clear()


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
            raise NoContentError(f"{index} has no text of {path}.")
    raise NoContentError(f"{index}: no such index is open.")
