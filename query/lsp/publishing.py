"""Diagnostics pushed to the client, a moment after it stops typing."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from ..errors import QueryError
from .documents.edited import Document
from .requests.diagnostics import diagnostics, findings
from .session import Session

PAUSE_SECONDS = 0.04


class Publishing:
    """Checks documents one at a time, each when its text has not changed for a moment."""

    def __init__(self, server: LanguageServer, session: Session) -> None:
        self._server = server
        self._session = session
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._due: set[str] = set()
        """The documents that are checked when the one before them is done."""
        self._one = asyncio.Lock()
        # One thread: each has a heap of its own, which keeps what one check needed at most.
        self._checks = ThreadPoolExecutor(1, "oblist checks")
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_on = True
        """False if the client pulls diagnostics instead."""

    def soon(self, document: Document) -> None:
        """Check a document when it has not changed for a moment."""
        if not self.is_on:
            return
        self.forget(document.uri)
        loop = asyncio.get_running_loop()
        self._waiting[document.uri] = loop.call_later(PAUSE_SECONDS, self._start, document.uri)

    def forget(self, uri: str) -> None:
        """Check a document no more."""
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    def clear(self, uri: str) -> None:
        """Take back the diagnostics of a document that was closed."""
        self.forget(uri)
        if self.is_on:
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def stop(self) -> None:
        """Check nothing more."""
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
                found = await self.checked(document)
            except QueryError:
                return  # there is no index, which the client has been told
            if self._session.documents.get(uri) is document and document.lines is lines:
                self._server.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, found, document.version)
                )

    async def checked(self, document: Document) -> list[types.Diagnostic]:
        """The diagnostics of a document's present text. Raises QueryError."""
        project = self._session.projects.of(document.path)
        lines = document.lines
        loop, path = asyncio.get_running_loop(), document.path
        found = await loop.run_in_executor(self._checks, findings, project, path, lines.text)
        return diagnostics(found, lines)
