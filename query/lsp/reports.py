"""Diagnostics of whole workspace folders, for clients that pull them."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.uris import from_fs_path

from ..check.files import files_below
from ..check.findings import SourceFinding
from ..errors import QueryError
from .documents.lines import DocumentLines
from .documents.reading import text_of_file
from .indexed.project import IndexedProject
from .requests.diagnostics import checked_folder, diagnostics
from .session import Session

_Report = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


class WorkspaceReports:
    """Checks whole folders, each again only if something in it has changed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._checks = ThreadPoolExecutor(1, "oblist reports")
        self._known: dict[Path, tuple[object, dict[str, list[SourceFinding]]]] = {}
        """What was found in each folder, with the state of its files."""
        self._converter = get_converter()

    def stop(self) -> None:
        """Stop checking."""
        self._checks.shutdown(wait=False, cancel_futures=True)

    async def report(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """The diagnostics of all files in the folders that have an index. Raises QueryError."""
        before = {one.uri: one.value for one in params.previous_result_ids}
        items: list[_Report] = []
        for project in self._session.projects.all():
            if project.folder is not None:
                found = await self._found(project, project.folder)
                # A file whose findings are gone must be told to have none.
                told = (one for one in self._told(project.folder, before) if one not in found)
                items += [self._of_file(path, found.get(path, []), before) for path in (*found, *told)]
        return types.WorkspaceDiagnosticReport(items)

    def _told(self, folder: Path, before: dict[str, str]) -> Iterator[str]:
        for uri in before:
            path = self._session.path(uri)
            if path.startswith(f"{folder}{os.sep}"):
                yield path

    async def _found(self, project: IndexedProject, folder: Path) -> dict[str, list[SourceFinding]]:
        opened = [one for one in self._session.documents if not one.is_large and project.holds(one.path)]
        texts = {one.path: one.lines.text for one in opened}
        loop = asyncio.get_running_loop()
        state = await loop.run_in_executor(self._checks, _state, project, folder, texts)
        if self._known.get(folder, (None, {}))[0] != state:
            found = await loop.run_in_executor(self._checks, checked_folder, project.path, folder, texts)
            self._known[folder] = state, found
        return self._known[folder][1]

    def _of_file(self, path: str, found: list[SourceFinding], before: dict[str, str]) -> _Report:
        document = self._session.documents.of_file(path)
        uri = document.uri if document is not None else from_fs_path(path) or path
        items = diagnostics(found, self._lines(path)) if found else []
        told: Any = self._converter.unstructure(items)
        result = hashlib.sha256(json.dumps(told).encode()).hexdigest()
        version = document.version if document is not None else None
        if before.get(uri) == result:
            return types.WorkspaceUnchangedDocumentDiagnosticReport(
                uri=uri, result_id=result, version=version
            )
        return types.WorkspaceFullDocumentDiagnosticReport(
            uri=uri, items=items, version=version, result_id=result
        )

    def _lines(self, path: str) -> DocumentLines:
        document = self._session.documents.of_file(path)
        if document is not None:
            return document.lines
        try:
            return DocumentLines(text_of_file(path), self._session.documents.encoding)
        except OSError:
            return DocumentLines("", self._session.documents.encoding)  # a folder, or gone meanwhile


def _state(project: IndexedProject, folder: Path, texts: dict[str, str]) -> object:
    """What the findings in a folder depend on: the index, the files, and the open documents."""
    files = []
    for path in files_below([str(folder)], lambda _: False):
        try:
            status = os.stat(path)  # noqa: PTH116
            files.append((path, status.st_mtime_ns, status.st_size))
        except OSError:
            files.append((path, 0, 0))
    try:
        index = os.stat(project.path)  # noqa: PTH116
    except OSError as error:
        raise QueryError(f"{project.path} cannot be read: {error.strerror}.") from error
    return (
        (index.st_ino, index.st_mtime_ns),
        files,
        sorted((path, _digest(text)) for path, text in texts.items()),
    )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
