"""Asking a language server for the symbols of the workspace.

No library of the protocol is needed for three messages (LSP 3.17, "Base Protocol"), so this also works where
oblist is installed without its extra ``lsp``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from ...index.shown import counted
from ..errors import SetupError

QUESTION = "mapcar"
_MOST_HEADER = 4_096
_MOST_BODY = 100_000_000


async def ask_language_server(
    command: list[str], folder: Path, environment: Mapping[str, str], said: Any
) -> str:
    """How many symbols the server finds for a name of the standard. Raises SetupError if it finds none.

    What it writes to standard error goes to the file ``said``.
    """
    async with await anyio.open_process(command, cwd=folder, env=environment, stderr=said) as process:
        try:
            server = _Server(process)
            uri = folder.absolute().as_uri()
            folders = [{"uri": uri, "name": folder.name}]
            starting: dict[str, Any] = {
                "processId": None,
                "rootUri": uri,
                "workspaceFolders": folders,
                "capabilities": {},
            }
            await server.request("initialize", starting)
            await server.send({"method": "initialized", "params": {}})
            found = await server.request("workspace/symbol", {"query": QUESTION})
        finally:
            process.kill()
    if not found:
        raise SetupError(f"it runs, but finds no symbol for {QUESTION}")
    return f"it finds {counted(len(found), 'symbol')} for {QUESTION}"


class _Server:
    def __init__(self, process: Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._to, self._from = process.stdin, BufferedByteReceiveStream(process.stdout)
        self._asked = 0

    async def send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        await self._to.send(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """The result of a request; what the server sends of its own accord meanwhile is passed over."""
        self._asked += 1
        await self.send({"id": self._asked, "method": method, "params": params})
        while True:
            message = await self._received()
            if message.get("id") != self._asked or "method" in message:
                continue
            if "error" in message:
                raise SetupError(str(message["error"].get("message")))
            return message.get("result")

    async def _received(self) -> dict[str, Any]:
        header = await self._from.receive_until(b"\r\n\r\n", _MOST_HEADER)
        fields = dict(line.lower().partition(b":")[::2] for line in header.split(b"\r\n"))
        length = fields.get(b"content-length", b"").strip()
        if not length.isdigit() or int(length) > _MOST_BODY:
            raise SetupError("it does not follow the Language Server Protocol")
        message = json.loads(await self._from.receive_exactly(int(length)))
        return message if isinstance(message, dict) else {}
