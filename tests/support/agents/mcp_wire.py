"""A raw MCP client: JSON-RPC lines over a server's pipes, at any protocol revision."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from support.command import OBLIST

SECONDS = 100.0
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"


class Wire:
    """One server as a child process that reads and writes lines."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.process = subprocess.Popen(
            list(arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
            cwd=cwd,
        )
        self._rest = b""
        self._number = 0
        self._meta: dict[str, Any] = {}
        self.notifications: list[dict[str, Any]] = []

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> str:
        """End the server by closing its input, and return its standard error."""
        assert self.process.stdin
        assert self.process.stderr
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        words = "" if self.process.stderr.closed else self.process.stderr.read().decode()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream
            stream.close()
        return words

    def send(self, message: object) -> None:
        """Send one message, or any other object."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self, seconds: float = SECONDS) -> dict[str, Any]:
        """The next message of the server."""
        assert self.process.stdout
        deadline = time.monotonic() + seconds
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError(f"no message within {seconds} s")
            chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            if not chunk:
                raise EOFError("the server has ended")
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and return its answer; notifications before it are kept."""
        self._number += 1
        body = {**(params or {})}
        if self._meta:
            body["_meta"] = self._meta
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": body})
        return self.answer_to(self._number)

    def answer_to(self, number: int | str) -> dict[str, Any]:
        """The answer to the request with this number."""
        while (message := self.receive()).get("id") != number or "method" in message:
            self.notifications.append(message)
        return message

    def initialize(
        self, version: str = LEGACY[-1], capabilities: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Do the handshake of revisions up to 2025-11-25, and return the server's description of itself."""
        answer = self.request(
            "initialize",
            {
                "protocolVersion": version,
                "capabilities": capabilities or {},
                "clientInfo": {"name": "wire", "version": "1"},
            },
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: dict[str, Any] = answer["result"]
        return result

    def be_modern(self, capabilities: Mapping[str, Any] | None = None) -> None:
        """Make each later request carry the envelope of revision 2026-07-28."""
        self._meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "wire", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": dict(capabilities or {}),
        }

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        result: dict[str, Any] = answer["result"]
        return result

    def text(self, tool: str, **arguments: Any) -> str:
        """The text of a tool's result."""
        text: str = self.call(tool, **arguments)["content"][0]["text"]
        return text


def oblist_mcp(index: Path, *arguments: str, **options: Any) -> Wire:
    """``oblist mcp`` on an index."""
    return Wire([OBLIST, "mcp", "--structured", "--index", str(index), *arguments], **options)
