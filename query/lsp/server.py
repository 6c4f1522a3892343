"""The language server of one connection: how it begins, what it hears of documents, and how it ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.lsp.server import LanguageServer

from .building import Building
from .documents.edited import MOST_READ, Document
from .documents.reading import path_of_uri
from .features import SessionFeatures, answering
from .protocol import LspProtocol
from .publishing import Publishing
from .reports import WorkspaceReports
from .requests.actions.offered import KINDS, all_fixed, code_actions, wants_all_fixed
from .session import Session

_logger = logging.getLogger("oblist")


class Connection:
    """One client's server, its state and its work in the background."""

    def __init__(self, index: Path | None, watch: Callable[[Path, Path], None]) -> None:
        """``index`` answers for everything, if given; ``watch`` follows the sources of a folder."""
        self.server = LanguageServer(
            "oblist", version("oblist"), protocol_cls=LspProtocol, converter_factory=get_converter
        )
        assert isinstance(self.server.protocol, LspProtocol)
        self.protocol = self.server.protocol
        self.session = Session(index)
        self._watch = watch
        self._watches = False
        self._relates = False
        """Whether the client accepts, with the diagnostics that it asks for, those in other files."""
        self._features = SessionFeatures(self.server, self.protocol, self.session)
        self._features.register()
        self._building = Building(self.server)
        self._publishing = Publishing(self.server, self.session)
        self._reports = WorkspaceReports(self.session)
        self._tasks: set[asyncio.Task[None]] = set()
        self._said_large: set[str] = set()
        """The open documents of which the client was told that they are too large."""
        self._register()

    def watch_all(self) -> None:
        """Follow the sources of every workspace folder, whatever the client says."""
        self._watches = True

    def _register(self) -> None:
        handlers: dict[str, Callable[..., Any]] = {
            types.INITIALIZE: self._initialize,
            types.INITIALIZED: self._initialized,
            types.SHUTDOWN: self._shutdown,
            types.TEXT_DOCUMENT_DID_OPEN: self._opened,
            types.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            types.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            types.TEXT_DOCUMENT_DID_SAVE: self._saved,
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self._folders_changed,
        }
        for method, handler in handlers.items():
            self._answer(method, handler)
        self._answer(types.TEXT_DOCUMENT_CODE_ACTION, self._code_action, types.CodeActionOptions(KINDS))
        options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True)
        self._answer(types.TEXT_DOCUMENT_DIAGNOSTIC, self._diagnostic, options)
        self._answer(types.WORKSPACE_DIAGNOSTIC, self._reports.report)

    def _answer(self, method: str, handler: Callable[..., Any], options: object = None) -> None:
        self.server.feature(method, options)(answering(handler, self.session.readings))

    # The beginning and the end

    def _initialize(self, params: types.InitializeParams) -> None:
        session, capabilities = self.session, params.capabilities
        session.documents.encoding = types.PositionEncodingKind(self.server.workspace.position_encoding).value
        workspace, text = capabilities.workspace, capabilities.text_document
        session.absent.asks_for_content = bool(workspace and workspace.text_document_content)
        self._publishing.is_on = text is None or text.diagnostic is None
        self._relates = bool(text and text.diagnostic and text.diagnostic.related_document_support)
        self._set_folders(params)
        options = params.initialization_options
        if isinstance(options, dict):
            self._watches = self._watches or options.get("watch") is True
            most = options.get("references")
            if isinstance(most, int) and not isinstance(most, bool) and most > 0:
                self._features.limit_references(most)
            if options.get("completion") == "import":
                self._features.import_completed()
            self._features.show(
                hints=options.get("inlayHints") is True, lenses=options.get("codeLens") is True
            )

    def _set_folders(self, params: types.InitializeParams) -> None:
        uris = [folder.uri for folder in params.workspace_folders or ()]
        if not uris and params.root_uri:
            uris = [params.root_uri]
        if not uris and params.root_path:
            self.session.projects.set_folders([Path(params.root_path)])
            return
        self.session.projects.set_folders([Path(path) for uri in uris if (path := path_of_uri(uri))])

    def _initialized(self, _: types.InitializedParams) -> None:
        self._look_after_folders()

    def _look_after_folders(self) -> None:
        """Watch the folders, or ask about those without an index."""
        projects = self.session.projects
        if self._watches:
            for folder in projects.folders:
                self._watch(folder, projects.index_of(folder))
            return
        for folder in projects.without_index():
            self._later(self._offer(folder))

    async def _offer(self, folder: Path) -> None:
        if await self._building.offer(folder):
            for document in self.session.documents:
                self._publishing.soon(document)

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _logger.error("%s", error)

    def _shutdown(self, *_: Any) -> None:
        self._publishing.stop()
        self._reports.stop()
        self._building.cancel()

    def close(self) -> None:
        """End the work in the background, and close the indexes."""
        self._shutdown()
        for task in self._tasks:
            task.cancel()
        self.session.close()

    # Documents

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        opened = params.text_document
        document = self.session.open(opened.uri, opened.text, opened.version)
        self._say_large(document)
        self._publishing.changed(document)

    def _say_large(self, document: Document) -> None:
        """Tell the client, once for a document, why there are no answers about it."""
        if document.is_large and document.uri not in self._said_large:
            self._said_large.add(document.uri)
            most = MOST_READ // 1_000_000
            message = (
                f"{document.uri} has more than {most} million characters, so its forms are not read: oblist "
                "lists its symbols, but offers no hovers, completions or diagnostics in it."
            )
            self.server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))

    def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        document = self.session.documents.get(params.text_document.uri)
        if document is None:
            _logger.warning("%s was changed, but is not open.", params.text_document.uri)
            return
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start = document.lines.offset(change.range.start)
                end = document.lines.offset(change.range.end)
                document.replace(min(start, end), max(start, end), change.text)
            else:
                document.set_text(change.text)
        document.version = params.text_document.version
        self._say_large(document)
        self._publishing.changed(document)

    def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        document = self.session.documents.get(params.text_document.uri)
        if document is not None:
            self._publishing.soon(document)

    def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        self.session.close_document(params.text_document.uri)
        self._publishing.clear(params.text_document.uri)
        self._said_large.discard(params.text_document.uri)
        self._features.forget(params.text_document.uri)

    def _folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        removed = {path_of_uri(folder.uri) for folder in params.event.removed}
        kept = [folder for folder in self.session.projects.folders if str(folder) not in removed]
        added = [Path(path) for folder in params.event.added if (path := path_of_uri(folder.uri))]
        self.session.projects.set_folders([*kept, *added])
        self._look_after_folders()

    async def _code_action(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        asked, context = self.session.asked(params.text_document.uri), params.context
        if asked.document.is_large:
            return []
        found = code_actions(asked, params.range, context)
        if wants_all_fixed(context):
            found += all_fixed(asked, await self._publishing.known(asked.document))
        return found

    async def _diagnostic(self, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        document = self.session.asked(params.text_document.uri).document
        own, others = await self._publishing.checked(document)
        if not self._relates:
            return types.RelatedFullDocumentDiagnosticReport(items=own)
        related: dict[str, Any] = {
            uri: types.FullDocumentDiagnosticReport(found) for uri, found in others.items()
        }
        return types.RelatedFullDocumentDiagnosticReport(items=own, related_documents=related or None)
