"""Asking the client whether to build an index where there is none, and building it."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from oblist.indexer.format import index_to_write

from ..processes.build import BuildOutcome, BuildProcess

BUILD = "Build the index"
NOT_NOW = "Not now"
_BUILD_SECONDS = 3_600.0


class Building:
    """The builds that the client was asked about, one after the other."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._asked: set[Path] = set()
        self._process: BuildProcess | None = None

    async def offer(self, folder: Path) -> bool:
        """Ask whether to build the index of a folder, once, and build it after a yes.

        Return whether there is one now.
        """
        if folder in self._asked:
            return False
        self._asked.add(folder)
        answer = await self._server.window_show_message_request_async(
            types.ShowMessageRequestParams(
                types.MessageType.Warning,
                f"There is no oblist index for {folder}, so nothing can be answered there. Build it now? "
                "Building loads the project's systems into SBCL, which runs their code.",
                [types.MessageActionItem(BUILD), types.MessageActionItem(NOT_NOW)],
            )
        )
        if answer is None or answer.title != BUILD:
            return False
        outcome = await self._build(folder)
        kind = types.MessageType.Info if outcome.success else types.MessageType.Error
        self._server.window_show_message(types.ShowMessageParams(kind, outcome.text))
        return outcome.success

    async def _build(self, folder: Path) -> BuildOutcome:
        arguments = [f"--project={folder}", f"--output={index_to_write(None, folder).absolute()}"]
        process = self._process = BuildProcess(arguments)
        token = await self._progress(process)
        loop = asyncio.get_running_loop()

        def stage(words: str) -> None:
            if token is not None:
                loop.call_soon_threadsafe(self._report, token, words)

        try:
            return await asyncio.to_thread(process.run, stage, _BUILD_SECONDS)
        finally:
            self._process = None
            if token is not None:
                self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())

    async def _progress(self, process: BuildProcess) -> str | None:
        """Begin to show the progress of a build, if the client can; return its token."""
        window = self._server.client_capabilities.window
        if window is None or not window.work_done_progress:
            return None
        token = str(uuid.uuid4())
        await self._server.work_done_progress.create_async(token)
        begin = types.WorkDoneProgressBegin("Building the oblist index", cancellable=True)
        progress = self._server.work_done_progress
        progress.begin(token, begin)
        progress.tokens[token].add_done_callback(
            lambda ended: process.cancel() if ended.cancelled() else None
        )
        return token

    def _report(self, token: str, words: str) -> None:
        self._server.work_done_progress.report(token, types.WorkDoneProgressReport(message=words))

    def cancel(self) -> None:
        """End the build that is under way, if there is one."""
        if self._process is not None:
            self._process.cancel()
