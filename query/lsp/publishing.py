"""Diagnostics pushed to the client, a moment after it stops typing."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path

from ..check.findings import SourceFinding
from ..errors import QueryError
from ..index.damage import blaming
from .documents.edited import Document
from .documents.lines import DocumentLines
from .documents.reading import text_of_file
from .requests.diagnostics import checked, diagnostics
from .session import Session

PAUSE_SECONDS = 0.04


class Publishing:
    """Checks documents one at a time, each when its text has not changed for a moment."""

    def __init__(self, server: LanguageServer, session: Session) -> None:
        self._server = server
        self._session = session
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._due: set[str] = set()
        """The documents that wait for the check of another one to end."""
        self._one = asyncio.Lock()
        # One thread: each has a heap of its own, which keeps what one check needed at most.
        self._checks = ThreadPoolExecutor(1, "oblist checks")
        self._tasks: set[asyncio.Task[None]] = set()
        self._in_others: dict[str, dict[str, list[SourceFinding]]] = {}
        """What the last check of each open document found in other files, by their paths."""
        self._lost: set[str] = set()
        """The documents that have lost definitions, which other documents may have now."""
        self._seen: dict[str, dict[str, DocumentLines]] = {}
        """The texts of other documents that the last check of each document saw, by their URIs."""
        self._own: dict[str, tuple[DocumentLines, list[types.Diagnostic]]] = {}
        """The diagnostics of open documents, with the texts that they are about, by their URIs."""
        self.is_on = True
        """False if the client pulls diagnostics instead."""

    def changed(self, document: Document) -> None:
        """Check a document that has changed, and those that depend on it."""
        self.soon(document)
        self._look_for_lost(document.uri)

    def _look_for_lost(self, uri: str) -> None:
        """Check the documents again that have lost what the document with this URI may define now."""
        for one in self._lost - {uri}:
            document = self._session.documents.get(one)
            if document is not None:
                self.soon(document)

    def soon(self, document: Document) -> None:
        """Check a document when it has not changed for a moment."""
        if not self.is_on:
            return
        self.forget(document.uri)
        loop = asyncio.get_running_loop()
        self._waiting[document.uri] = loop.call_later(PAUSE_SECONDS, self._start, document.uri)

    def forget(self, uri: str) -> None:
        """Stop checking a document."""
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    def clear(self, uri: str) -> None:
        """Take back the diagnostics of a document that was closed; others may have some for its file."""
        self.forget(uri)
        self._lost.discard(uri)
        self._seen.pop(uri, None)
        for seen in self._seen.values():
            seen.pop(uri, None)
        self._own.pop(uri, None)
        if self.is_on:
            self._publish_closed(self._session.path(uri), uri)
            self._tell_others(uri, {})
            self._look_for_lost(uri)

    def stop(self) -> None:
        """Stop checking altogether."""
        for uri in list(self._waiting):
            self.forget(uri)
        for task in self._tasks:
            task.cancel()
        self._due.clear()
        self._checks.shutdown(wait=False, cancel_futures=True)

    def _start(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        if uri in self._due:  # the check that is due will see the present text
            return
        self._due.add(uri)
        task = asyncio.ensure_future(self._publish(uri))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self, uri: str) -> None:
        async with self._one:
            self._due.discard(uri)
            document = self._session.documents.get(uri)
            if document is None:
                return
            lines = document.lines
            try:
                found = await self._found(document)
            except QueryError:
                return  # there is no index, which the client has been told
            if self._session.documents.get(uri) is document and document.lines is lines:
                own = self._of_document(document, found, lines)
                self._server.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, own, document.version)
                )
                self._tell_others(uri, found)

    async def checked(
        self, document: Document
    ) -> tuple[list[types.Diagnostic], dict[str, list[types.Diagnostic]]]:
        """The diagnostics of a document's present text, and those in files that are not open, by their URIs.

        Files that had some when the document was last checked are among these. Raises QueryError.
        """
        lines = document.lines
        found = await self._found(document)
        own = self._of_document(document, found, lines)
        before = self._in_others.get(document.uri, {})
        self._in_others[document.uri] = found
        closed = [path for path in {**before, **found} if self._session.documents.of_file(path) is None]
        return own, {self._uri(path): self._in_file(path) for path in closed}

    def _of_document(
        self, document: Document, found: dict[str, list[SourceFinding]], lines: DocumentLines
    ) -> list[types.Diagnostic]:
        """The diagnostics of a document, which are taken from what was found."""
        own = diagnostics(found.pop(document.path, []), lines)
        if self._session.documents.get(document.uri) is document:
            self._own[document.uri] = lines, own
        return own

    async def known(self, document: Document) -> list[types.Diagnostic]:
        """The diagnostics of a document's present text, unless they are known. Raises QueryError."""
        lines, own = self._own.get(document.uri, (None, []))
        if lines is not document.lines:
            own, _ = await self.checked(document)
        return own

    async def _found(self, document: Document) -> dict[str, list[SourceFinding]]:
        project = self._session.projects.of(document.path)
        if document.is_large:
            self._lost.discard(document.uri)
            return {}
        seen = [
            one
            for one in self._session.documents
            if one is not document and not one.is_large and project.holds(one.path)
        ]
        self._seen[document.uri] = {one.uri: one.lines for one in seen}
        others = {one.path: one.lines.text for one in seen}
        loop, path, text = asyncio.get_running_loop(), document.path, document.lines.text
        with blaming([project.index]):
            found = await loop.run_in_executor(self._checks, checked, project, path, text, others)
        if found.lost:
            self._lost.add(document.uri)
        else:
            self._lost.discard(document.uri)
        return found.findings

    # Other files

    def _tell_others(self, uri: str, found: dict[str, list[SourceFinding]]) -> None:
        """Publish what a check of a document found in other files, and take back what it found before.

        Those that are open are checked themselves, but only if something is new, or if they have seen another
        text of the document: they may have found something in this document.
        """
        before = self._in_others.pop(uri, {})
        if found:
            self._in_others[uri] = found
        for path in {**before, **found}:
            other = self._session.documents.of_file(path)
            if before.get(path) == found.get(path) and (other is None or self._has_seen(other, uri)):
                continue
            if other is not None:
                self.soon(other)
            else:
                self._publish_closed(path, self._uri(path))

    def _has_seen(self, other: Document, uri: str) -> bool:
        """Whether the last check of another document saw the present text of the document with this URI."""
        document = self._session.documents.get(uri)
        return document is None or self._seen.get(other.uri, {}).get(uri) is document.lines

    def _publish_closed(self, path: str, uri: str) -> None:
        """Publish what checks of open documents found in a file that is not open."""
        params = types.PublishDiagnosticsParams(uri, self._in_file(path))
        self._server.text_document_publish_diagnostics(params)

    def _uri(self, path: str) -> str:
        document = self._session.documents.of_file(path)
        return document.uri if document is not None else from_fs_path(path) or path

    def _in_file(self, path: str) -> list[types.Diagnostic]:
        found = {one for by_path in self._in_others.values() for one in by_path.get(path, ())}
        document = self._session.documents.of_file(path)
        lines = document.lines if document is not None else None
        if lines is None and found:
            try:
                lines = DocumentLines(text_of_file(path), self._session.documents.encoding)
            except OSError:
                return []  # it is gone meanwhile
        return diagnostics(sorted(found), lines) if lines is not None else []
