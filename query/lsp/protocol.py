"""The protocol as pygls speaks it, except where our documents and connections work differently."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Generator
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

from ..errors import QueryError
from .documents.reading import is_path, path_of_uri
from .indexed.absent import SCHEME
from .messages import NotMessageError, parsed

REQUEST_FAILED = int(types.LSPErrorCodes.RequestFailed)
INVALID_PARAMS = int(types.ErrorCodes.InvalidParams)
INTERNAL_ERROR = int(types.ErrorCodes.InternalError)
_logger = logging.getLogger("oblist")


class Encoded(bytes):
    """A result that is JSON already: taking thousands of objects apart takes longer than finding them."""


class LspProtocol(LanguageServerProtocol):
    """Keeps no documents of its own: pygls takes each edited text apart, line by line.

    ``on_exit`` is called when the client says that the server has to end, or that this connection has;
    ``is_begun`` is whether it has sent an initialize.
    """

    on_exit: Callable[[int], None] | None = None
    is_begun = False

    def take(self, body: bytes) -> None:
        """Handle the message in a body; one that is malformed, or unknown to the protocol, gets an error."""
        try:
            message = parsed(body)
        except NotMessageError as error:
            self._refuse(None, error.code, str(error))
            return
        try:
            structured = self.structure_message(message)
        except JsonRpcException:
            identity, method = message.get("id"), message.get("method")
            why = f"The parameters of {method} do not follow the protocol."
            if isinstance(identity, int | str) and method is not None:
                self._refuse(identity, INVALID_PARAMS, why)
            else:
                _logger.warning("A message from the client does not follow the protocol: %.200r", message)
            return
        try:
            self.handle_message(structured)
        except Exception as error:  # noqa: BLE001 - one message must not end the connection
            _logger.error("a bug in oblist, please report it: %r", error)

    def _refuse(self, identity: int | str | None, code: int, why: str) -> None:
        """Answer a message that cannot be handled; ``identity`` is None if it has none that can be read."""
        error = {"code": code, "message": why}
        answer = {"jsonrpc": "2.0", "id": identity, "error": error}
        self._send_body(json.dumps(answer).encode())

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Add to the capabilities what pygls does not know: that we have texts for a scheme of our own.

        Folders that no file system could have are left out: pygls would fail on them.
        """
        self.is_begun = True
        _keep_folders(params)
        result = yield from super().lsp_initialize(params)
        workspace = result.capabilities.workspace or types.WorkspaceOptions()
        workspace.text_document_content = types.TextDocumentContentOptions(schemes=[SCHEME])
        result.capabilities.workspace = workspace
        return result

    # Plain functions that only call our handlers. Of generators, which pygls has here, it keeps a future for
    # each message until the server ends.

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Any:
        """Tell our handler."""
        return self.fm.features[types.TEXT_DOCUMENT_DID_OPEN](params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        """Tell our handler."""
        return self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE](params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Any:
        """Tell our handler."""
        return self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE](params)

    def _send_response(
        self, msg_id: Any, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        """Send a response; one that is JSON already goes out as it is."""
        if error is None and isinstance(result, Encoded):
            self._result_types.pop(msg_id, None)
            self._send_body(b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(msg_id).encode(), result))
        else:
            super()._send_response(msg_id, result, error)

    def send_part(self, token: int | str, part: Encoded) -> None:
        """Send a part of a result."""
        body = b'{"jsonrpc":"2.0","method":"$/progress","params":{"token":%s,"value":%s}}'
        self._send_body(body % (json.dumps(token).encode(), part))

    def _send_body(self, body: bytes) -> None:
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> Any:
        """End this connection; without a shutdown before, that is an error (LSP, exit)."""
        if self.on_exit is not None:
            self.on_exit(0 if self._shutdown else 1)


def _keep_folders(params: types.InitializeParams) -> None:
    folders = params.workspace_folders or ()
    params.workspace_folders = [one for one in folders if path_of_uri(one.uri) is not None]
    if params.root_uri is not None and path_of_uri(params.root_uri) is None:
        params.root_uri = None
    if params.root_path is not None and not is_path(params.root_path):
        params.root_path = None


def failure(error: Exception) -> JsonRpcException:
    """An error as the client gets it: what went wrong and what to do, never a traceback."""
    if isinstance(error, JsonRpcException):
        return error
    if isinstance(error, QueryError):
        return JsonRpcException(str(error), code=REQUEST_FAILED)
    _logger.error("a bug in oblist, please report it: %r", error)
    return JsonRpcException(f"This is a bug in oblist; please report it: {error!r}", code=INTERNAL_ERROR)
