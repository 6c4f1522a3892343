"""What a client may send to the language server: every request is answered once, and never with a bug."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fuzz.target import Check, Target
from fuzz.texts import INTEGERS, JSON, TEXTS
from hypothesis import strategies as st

from oblist.query.lsp.messages import MOST_HEADER, FramingError, bodies
from oblist.query.lsp.protocol import INTERNAL_ERROR
from oblist.query.lsp.server import Connection
from support.editors.atelier import FILES, atelier
from support.forms.broken_texts import PIECES

_NAMES = sorted(FILES)
_URIS = st.one_of(
    st.sampled_from([f"file://{{folder}}/{name}" for name in _NAMES]),
    st.sampled_from(
        ["untitled:1", "file:///", "file://host/x", "oblist-source:/x", "file:///%00", "http://[", ""]
    ),
    TEXTS,
)
_PLACES = st.one_of(st.integers(0, 60), st.integers(0, 60), INTEGERS)
_POSITION = st.fixed_dictionaries({"line": _PLACES, "character": _PLACES})
_RANGE = st.fixed_dictionaries({"start": _POSITION, "end": _POSITION})
_LISP = st.one_of(
    st.sampled_from([FILES[name] for name in _NAMES]),
    st.lists(st.sampled_from([*PIECES, "(cut 1)", "atelier::odd", "(loop for x"]), max_size=12).map("".join),
    TEXTS,
)
_PARAMS = {
    "textDocument": st.fixed_dictionaries(
        {"uri": _URIS}, optional={"version": INTEGERS, "text": _LISP, "languageId": st.just("lisp")}
    ),
    "position": _POSITION,
    "positions": st.lists(_POSITION, max_size=3),
    "range": _RANGE,
    "context": st.fixed_dictionaries(
        {"diagnostics": st.just([])},
        optional={
            "includeDeclaration": st.booleans(),
            "triggerKind": st.integers(0, 4),
            "only": st.lists(TEXTS),
        },
    ),
    "newName": TEXTS,
    "query": TEXTS,
    "ch": st.sampled_from(["\n", ")", ""]),
    "options": st.fixed_dictionaries({"tabSize": INTEGERS, "insertSpaces": st.booleans()}),
    "contentChanges": st.lists(
        st.fixed_dictionaries({"text": _LISP}, optional={"range": _RANGE}), max_size=3
    ),
    "previousResultId": TEXTS,
    "previousResultIds": st.just([]),
    "item": JSON,
    "command": st.one_of(st.just("oblist.import"), TEXTS),
    "arguments": st.lists(JSON, max_size=3),
    "event": st.fixed_dictionaries({"added": st.just([]), "removed": st.just([])}),
    "label": TEXTS,
    "name": TEXTS,
    "data": JSON,
    "uri": _URIS,
}
_POSITIONAL = ("hover", "definition", "declaration", "typeDefinition", "implementation", "references")
_POSITIONAL += ("documentHighlight", "completion", "signatureHelp", "prepareRename", "rename")
_POSITIONAL += ("prepareCallHierarchy", "prepareTypeHierarchy", "onTypeFormatting")
_WHOLE = ("documentSymbol", "foldingRange", "selectionRange", "formatting", "rangeFormatting", "codeAction")
_WHOLE += ("codeLens", "documentLink", "inlayHint", "diagnostic", "semanticTokens/full")
_WHOLE += ("semanticTokens/full/delta", "semanticTokens/range", "didChange", "didOpen", "didClose", "didSave")
_OTHER = ("workspace/symbol", "workspace/executeCommand", "workspace/diagnostic", "workspaceSymbol/resolve")
_OTHER += ("workspace/didChangeWorkspaceFolders", "completionItem/resolve", "codeLens/resolve", "initialize")
_OTHER += (
    "callHierarchy/incomingCalls",
    "typeHierarchy/supertypes",
    "workspace/textDocumentContent",
    "$/x",
    "x",
)
_METHODS = [f"textDocument/{name}" for name in (*_POSITIONAL, *_WHOLE)] + list(_OTHER)
_NOTIFYING = {f"textDocument/did{what}" for what in ("Open", "Change", "Close", "Save")}
_NOTIFYING |= {"workspace/didChangeWorkspaceFolders"}
_FITTING = st.fixed_dictionaries(_PARAMS)
_UNFIT = st.fixed_dictionaries(
    {}, optional={name: st.one_of(values, JSON) for name, values in _PARAMS.items()}
)
_MESSAGES = st.tuples(st.sampled_from(_METHODS), st.one_of(_FITTING, _FITTING, _UNFIT, JSON)).map(list)
_HEADERS = st.sampled_from(
    [
        "Content-Length: 2\r\n\r\n{}",
        "\r\n",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: 9\r\n",
        "content-length:4\n\n",
    ]
)
_BYTES = st.lists(
    st.one_of(_HEADERS, st.binary(max_size=12).map(lambda one: one.decode("latin-1"))), max_size=6
)
_SECONDS = 60


class _Kept:
    """What a server writes to its client."""

    def __init__(self) -> None:
        self.messages: list[Any] = []

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data.partition(b"\r\n\r\n")[2]))

    def close(self) -> None:
        """There is nothing to close."""


async def _read(sent: str) -> None:
    reader = asyncio.StreamReader(limit=MOST_HEADER)
    reader.feed_data(sent.encode("latin-1"))
    reader.feed_eof()
    try:
        assert all([isinstance(body, bytes) async for body in bodies(reader)])
    except FramingError as error:
        assert str(error).startswith("The client ")


async def _converse(messages: list[tuple[str, Any]]) -> None:
    folder = str(atelier())
    connection = Connection(None, lambda *_: None)
    kept = _Kept()
    connection.protocol.set_writer(kept)
    try:
        initial = {"processId": None, "capabilities": {}, "rootUri": f"file://{folder}"}
        opened = {
            "textDocument": {
                "uri": f"file://{folder}/shop.lisp",
                "version": 1,
                "text": FILES["shop.lisp"],
                "languageId": "lisp",
            }
        }
        await _ask(connection, kept, 0, "initialize", initial)
        await _ask(connection, kept, 0, "textDocument/didOpen", opened)
        for number, (method, params) in enumerate(messages, 1):
            told = json.loads(json.dumps(params).replace("{folder}", folder))
            await _ask(connection, kept, number, method, told)
    finally:
        connection.close()


async def _ask(connection: Connection, kept: _Kept, number: int, method: str, params: Any) -> None:
    """Send a message; a request must have its answer, and only that."""
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    notifies = method in _NOTIFYING
    connection.protocol.take(json.dumps(message if notifies else {**message, "id": number}).encode())
    async with asyncio.timeout(_SECONDS):
        while not notifies and not any(
            one.get("id") == number and "method" not in one for one in kept.messages
        ):
            await asyncio.sleep(0)
    answers = [one for one in kept.messages if one.get("id") == number and "method" not in one]
    assert notifies or len(answers) == 1
    for one in answers:
        assert one.get("error", {}).get("code") != INTERNAL_ERROR, one
    kept.messages.clear()


@contextmanager
def _opened(_: Path) -> Iterator[Check]:
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)  # as the command does
    atelier()  # made before cases are watched
    with asyncio.Runner() as runner:

        def check(case: tuple[str, list[Any]]) -> None:
            what, sent = case
            runner.run(_converse(sent) if what == "messages" else _read("".join(sent)))

        yield check


TARGET = Target(
    "messages",
    st.one_of(
        st.tuples(st.just("messages"), st.lists(_MESSAGES, min_size=1, max_size=5)),
        st.tuples(st.just("bytes"), _BYTES),
    ).map(list),
    _opened,
    short=15,
)
