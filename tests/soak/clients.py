"""Clients that ask what people and agents ask, over the protocols of the servers."""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lsprotocol.types import LSPErrorCodes
from soak.servers import Server

from support.agents.mcp_servers import INITIALIZE, rpc
from support.editors.language_client import Conversation, ResponseFailedError

NAMES = (
    "alexandria:flatten",
    "cl-ppcre:scan",
    "mapcar",
    "cl:car",
    "cl-ppcre::regex",
    "print-object",
    "nowhere",
)
WORDS = ("hash table keys", "split string", "regular expression", "list of symbols", "file", "x")
PAGES = ("home", "packages", "symbol/common-lisp/mapcar", "package/alexandria", "package/cl-ppcre", "systems")
PAGES += ("class/cl-ppcre/regex", "search?q=split+string", "symbol/alexandria/flatten", "graph", "audit")
STATEMENTS = (
    "select count(*) from symbols",
    "select name from packages limit 10",
    "select * from definitions",
)
_SECONDS = 60.0
_PAUSE = (0.05, 0.6)


class Times:
    """How long each question took, by server and question, and what went wrong."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.seconds: dict[tuple[str, str], list[float]] = {}
        self.errors: list[str] = []

    def note(self, server: str, question: str, seconds: float) -> None:
        """Add an answer."""
        with self._lock:
            self.seconds.setdefault((server, question), []).append(seconds)

    def fail(self, server: str, question: str, error: object) -> None:
        """Add an error."""
        with self._lock:
            self.errors.append(f"{server} {question}: {error!r:.300}")


Question = tuple[str, Callable[[], object]]


class Client(threading.Thread):
    """Asks questions that it draws, with pauses between them, until it is told to end."""

    def __init__(self, server: Server, times: Times, ended: threading.Event, seed: int) -> None:
        super().__init__(daemon=True)
        self.server, self.times, self.ended, self.draw = server, times, ended, random.Random(seed)

    def run(self) -> None:
        """Ask until the end; then leave."""
        try:
            self.begin()
            while not self.ended.wait(self.draw.uniform(*_PAUSE)):
                name, ask = self.question()
                began = time.monotonic()
                try:
                    self.ask(ask)
                except Exception as error:  # noqa: BLE001 - the table has it
                    self.times.fail(self.server.name, name, error)
                else:
                    self.times.note(self.server.name, name, time.monotonic() - began)
            self.leave()
        except Exception as error:  # noqa: BLE001 - the table has it
            self.times.fail(self.server.name, "begin or end", error)

    def ask(self, question: Callable[[], object]) -> None:
        """Ask a question; what it raises is an error, unless it is the right answer."""
        question()

    def begin(self) -> None:
        """Connect."""

    def leave(self) -> None:
        """Disconnect."""

    def question(self) -> Question:
        """Draw a question: its name, and what asks it."""
        raise NotImplementedError


class BrowseClient(Client):
    """Somebody who looks at pages, and types SQL."""

    def question(self) -> Question:
        if self.draw.random() < 0.15:
            return "sql", lambda: self._get(f"/oblist.json?sql={quote(self.draw.choice(STATEMENTS))}")
        page = self.draw.choice(PAGES)
        return page.partition("/")[0].partition("?")[0], lambda: self._get(f"/oblist/-/{page}")

    def _get(self, path: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=_SECONDS)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            assert response.read() and response.status in (200, 503), response.status
        finally:
            connection.close()


def _tool(draw: random.Random) -> tuple[str, dict[str, Any]]:
    name = draw.choice(NAMES)
    return draw.choice(
        [
            ("describe_symbol", {"name": name}),
            ("find_references", {"name": name, "limit": 20}),
            ("symbol_definition", {"symbols": name}),
            ("search_documentation", {"query": draw.choice(WORDS)}),
            ("apropos_search", {"pattern": draw.choice(("list", "hash", "scan")), "limit": 50}),
            ("check_form", {"text": "(defun f (x) (cl-ppcre:scan x))", "package": "CL-USER"}),
            ("describe_package", {"name": "CL-PPCRE"}),
            ("read_file", {"path": "alexandria/alexandria-1/lists.lisp", "outline": True}),
        ]
    )


class HttpAgent(Client):
    """An agent over HTTP: a session for all questions, or with ``visits`` one for each."""

    def __init__(self, *arguments: Any, visits: bool = False) -> None:
        super().__init__(*arguments)
        self._visits, self._session = visits, ""

    def begin(self) -> None:
        """Open a session."""
        _, headers, _ = self._send(rpc("initialize", INITIALIZE))
        self._session = headers["mcp-session-id"]

    def leave(self) -> None:
        """End it."""
        if self._session:
            self._send(None, "DELETE")
            self._session = ""

    def question(self) -> Question:
        name, arguments = _tool(self.draw)
        return (
            ("a session with one call", self._visit)
            if self._visits
            else (name, lambda: self._call(name, arguments))
        )

    def _visit(self) -> None:
        self._session = ""
        self.begin()
        self._call(*_tool(self.draw))
        if self.draw.random() < 0.5:
            self.leave()
        self._session = ""  # others leave without a word

    def _call(self, name: str, arguments: dict[str, Any]) -> None:
        _, _, body = self._send(rpc("tools/call", {"name": name, "arguments": arguments}))
        assert '"content"' in body, body[:200]

    def _send(self, body: object, method: str = "POST") -> tuple[int, dict[str, str], str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self._session:
            headers |= {
                "Mcp-Session-Id": self._session,
                "Mcp-Protocol-Version": INITIALIZE["protocolVersion"],
            }
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=_SECONDS)
        try:
            connection.request(method, "/mcp", json.dumps(body) if body is not None else None, headers)
            response = connection.getresponse()
            text = response.read().decode()
            assert response.status < 300, (response.status, text[:200])
            return response.status, {name.lower(): value for name, value in response.getheaders()}, text
        finally:
            connection.close()


class PipeAgent(Client):
    """An agent over standard input and output."""

    def begin(self) -> None:
        """Say hello."""
        self._number = 0
        self._ask("initialize", INITIALIZE)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def question(self) -> Question:
        name, arguments = _tool(self.draw)
        return name, lambda: self._ask("tools/call", {"name": name, "arguments": arguments})

    def _ask(self, method: str, params: object) -> None:
        self._number += 1
        self._write(rpc(method, params, self._number))
        assert self.server.process.stdout is not None
        while (answer := json.loads(self.server.process.stdout.readline())).get("id") != self._number:
            pass
        assert "result" in answer, answer

    def _write(self, message: object) -> None:
        assert self.server.process.stdin is not None
        self.server.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.server.process.stdin.flush()


class Editor(Client):
    """An editor over TCP or standard input and output, with a file of the project open, in which it types."""

    def __init__(self, *arguments: Any, files: Sequence[Path], visits: bool = False) -> None:
        super().__init__(*arguments)
        self._path = self.draw.choice(list(files))
        self._visits = visits
        self._version = 1

    def begin(self) -> None:
        """Open the file."""
        if self.server.port:
            self._socket = socket.create_connection(("127.0.0.1", self.server.port), _SECONDS)
            to, back = self._socket.makefile("wb"), self._socket.makefile("rb")
        else:
            assert self.server.process.stdin is not None and self.server.process.stdout is not None
            to, back = self.server.process.stdin, self.server.process.stdout
        self._talk = Conversation(to, back)
        self._talk.checks = False
        self._talk.start()
        self._text = self._path.read_text(encoding="utf-8", errors="replace")
        self._uri = self._talk.open(self._path, self._text)
        self._lines = self._text.count("\n")
        self._is_open = True

    def leave(self) -> None:
        """Close the file, and the connection."""
        if self._is_open:
            self._talk.notify("textDocument/didClose", {"textDocument": {"uri": self._uri}})
        if self.server.port and self._is_open:
            self._talk.request("shutdown", None)
            self._talk.notify("exit", None)
            self._hang_up()

    def ask(self, question: Callable[[], object]) -> None:
        """Ask; that there is no place, or that a macro hides what a name means, is an answer."""
        try:
            question()
        except ResponseFailedError as error:
            if error.code != LSPErrorCodes.RequestFailed.value:
                raise

    def _hang_up(self) -> None:
        self._is_open = False
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._talk.close()
        self._socket.close()

    def question(self) -> Question:
        if self._visits:
            return "a connection with one request", self._visit
        return self._request()

    def _request(self) -> Question:
        self._talk.told.clear()
        document = {"textDocument": {"uri": self._uri}}
        line = self.draw.randrange(max(1, self._lines))
        placed = {**document, "position": {"line": line, "character": self.draw.randrange(30)}}
        choices: list[tuple[str, Callable[[], object]]] = [
            (f"textDocument/{name}", lambda name=name: self._talk.request(f"textDocument/{name}", placed))
            for name in ("hover", "definition", "completion", "signatureHelp", "documentHighlight")
        ]
        references = {**placed, "context": {"includeDeclaration": True}}
        choices += [
            ("textDocument/references", lambda: self._talk.request("textDocument/references", references)),
            (
                "textDocument/documentSymbol",
                lambda: self._talk.request("textDocument/documentSymbol", document),
            ),
            ("textDocument/diagnostic", lambda: self._talk.request("textDocument/diagnostic", document)),
            ("workspace/symbol", lambda: self._talk.request("workspace/symbol", {"query": "scan"})),
            ("typing", lambda: self._type(line)),
        ]
        return self.draw.choice(choices)

    def _visit(self) -> None:
        if self._is_open:
            self._hang_up()
        self.begin()
        self._request()[1]()
        if self.draw.random() < 0.5:
            self.leave()
        else:  # others are gone without a word
            self._hang_up()

    def _type(self, line: int) -> None:
        """Type a letter and take it back; the next answer is about the text then."""
        for start, end, text in (((line, 0), (line, 0), "z"), ((line, 0), (line, 1), "")):
            self._version += 1
            places = [{"line": row, "character": column} for row, column in (start, end)]
            change = {"range": {"start": places[0], "end": places[1]}, "text": text}
            document = {"uri": self._uri, "version": self._version}
            self._talk.notify(
                "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
            )
        self._talk.request("textDocument/documentSymbol", {"textDocument": {"uri": self._uri}})


def clients(
    servers: Sequence[Server], files: Sequence[Path], times: Times, ended: threading.Event, many: int
) -> list[Client]:
    """So many clients: one for each pipe, and the others by turns, some of whom come and go."""
    by_name = {server.name: server for server in servers}
    found: list[Client] = [PipeAgent(by_name["mcp-stdio"], times, ended, 0)]
    found.append(Editor(by_name["lsp-stdio"], times, ended, 1, files=files))
    for number in range(2, many):
        visits = number % 5 == 0
        turn = (BrowseClient, HttpAgent, Editor)[1 + number // 5 % 2 if visits else number % 3]
        if turn is BrowseClient:
            found.append(BrowseClient(by_name["browse"], times, ended, number))
        elif turn is HttpAgent:
            found.append(HttpAgent(by_name["mcp-http"], times, ended, number, visits=visits))
        else:
            found.append(Editor(by_name["lsp-tcp"], times, ended, number, files=files, visits=visits))
    return found
