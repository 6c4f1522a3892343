"""MCP servers for tests: one over HTTP, and an index with a snapshot in a cache of its own."""

from __future__ import annotations

import http.client
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from support.command import OBLIST

SECONDS = 60.0
TOKEN = "0123456789abcdef-a-token"
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


def token_file(folder: Path, token: str = TOKEN, mode: int = 0o600) -> Path:
    path = folder / "token"
    path.write_text(f"{token}\n")
    path.chmod(mode)
    return path


class HttpServer:
    """``oblist mcp --http 0`` as a child process, on an index or on those of its clients' projects."""

    def __init__(
        self,
        index: Path | None,
        *arguments: str | Path,
        address: str = "0",
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        command = [OBLIST, "mcp", "--structured", "--http", address]
        command += [] if index is None else ["--index", str(index)]
        command += map(str, arguments)
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
            cwd=cwd,
        )
        assert self.process.stderr
        ready, _, _ = select.select([self.process.stderr], [], [], SECONDS)
        assert ready, "the server says nothing"
        self.first_line = self.process.stderr.readline().decode()
        assert self.first_line.startswith("oblist: serving MCP at http://"), self.first_line
        self.url = self.first_line.split()[-1]

    def __enter__(self) -> HttpServer:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end()

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        assert port
        return port

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, float, str]:
        """The exit code, the time it took, and everything that the server printed after its first line."""
        began = time.monotonic()
        self.process.send_signal(number)
        try:
            output, errors = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, time.monotonic() - began, (output + errors).decode()

    def request(
        self, body: object = None, method: str = "POST", path: str = "/mcp", **headers: str | None
    ) -> tuple[int, dict[str, str], str]:
        """The status, headers and text of the answer to a request; a header that is None is not sent."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
        sent: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(data)),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value.encode("latin-1"))
            connection.endheaders()
            with suppress(BrokenPipeError, ConnectionResetError):  # refused before it was read
                connection.send(data)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return response.status, found, response.read().decode()
        finally:
            connection.close()

    def initialize(self, **headers: str | None) -> tuple[int, dict[str, str], str]:
        return self.request(rpc("initialize", INITIALIZE), **headers)


def rpc(method: str, params: object, number: int | str = 1) -> dict[str, Any]:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
