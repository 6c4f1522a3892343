"""A client of the language server that checks each message that it gets against the protocol's types."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self

from support.editors.protocol_types import checked

_SECONDS = 60.0


class ResponseFailedError(AssertionError):
    """The server answered a request with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]
        self.message = str(error["message"])


class LanguageClient:
    """A server in a process of its own, and the conversation with it; a context manager that ends it."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.conversation = Conversation(self.process.stdin, self.process.stdout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.conversation.close()
        assert self.process.stderr is not None
        self.process.stderr.close()


class Conversation:
    """Requests and notifications over two streams, in the protocol's framing."""

    def __init__(self, to_server: IO[bytes], from_server: IO[bytes]) -> None:
        self._to = to_server
        self._from = from_server
        self._next = 0
        self._methods: dict[int, str] = {}
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._waiting: dict[int, dict[str, Any]] = {}
        self.told: list[dict[str, Any]] = []
        """The notifications and requests of the server, in order."""
        self.replies: dict[str, Any] = {}
        """What to answer to the server's requests, by method."""
        self.messages = 0
        self.checks = True
        """Whether each message is checked; a benchmark measures the server, not that."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def close(self) -> None:
        """Close both streams, once the server has ended the other."""
        with suppress(OSError):  # the server is gone, and what was not sent is lost
            self._to.close()
        self._reader.join(_SECONDS)
        self._from.close()

    def start(self, folders: Sequence[Path] = (), **more: Any) -> dict[str, Any]:
        """Initialize the server for some workspace folders; return its capabilities."""
        workspace = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        parameters = {"processId": None, "rootUri": None, "capabilities": {}, **more}
        parameters["workspaceFolders"] = workspace
        answer = self.request("initialize", parameters)
        self.notify("initialized", {})
        capabilities: dict[str, Any] = answer["capabilities"]
        return capabilities

    def open(self, path: Path | str, text: str | None = None) -> str:
        """Open a file as a document, with another text if one is given; return its URI."""
        uri = Path(path).as_uri()
        content = Path(path).read_text(encoding="utf-8") if text is None else text
        document = {"uri": uri, "languageId": "lisp", "version": 1, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def at(self, method: str, uri: str, line: int, character: int, **more: Any) -> Any:
        """Ask about a position, which counts from 0."""
        position = {"line": line, "character": character}
        return self.request(method, {"textDocument": {"uri": uri}, "position": position, **more})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method: str, params: Any) -> int:
        """Send a request; return its id."""
        self._next += 1
        self._methods[self._next] = method
        self._send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        return self._next

    def request(self, method: str, params: Any, seconds: float = _SECONDS) -> Any:
        """Send a request, and return its result. Raises ResponseFailedError."""
        return self.answer(self.begin(method, params), seconds)

    def answer(self, identity: int, seconds: float = _SECONDS) -> Any:
        """The result of a request. Raises ResponseFailedError; queue.Empty if it takes too long."""
        while identity not in self._waiting:
            message = self._answers.get(timeout=seconds)
            if "broken" in message:
                raise AssertionError(message["broken"])
            self._waiting[message["id"]] = message
        message = self._waiting.pop(identity)
        if "error" in message:
            raise ResponseFailedError(message["error"])
        return message["result"]

    def next_answer(self, seconds: float = _SECONDS) -> dict[str, Any]:
        """The next answer, whatever it answers. Raises queue.Empty if it takes too long."""
        return self._answers.get(timeout=seconds)

    def wait_for(self, method: str, number: int = 1, seconds: float = _SECONDS) -> list[dict[str, Any]]:
        """The parameters of the first notifications or requests of a method, once there are so many."""
        waited = threading.Event()
        for _ in range(int(seconds * 100)):
            found = [one["params"] for one in self.told if one["method"] == method]
            if len(found) >= number:
                return found
            waited.wait(0.01)
        raise AssertionError(f"no {method} in {seconds} s; there were {[one['method'] for one in self.told]}")

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._to.flush()

    def _read(self) -> None:
        with suppress(ConnectionResetError):  # one of its kinds of ends
            while (message := read_message(self._from)) is not None:
                self.messages += 1
                try:
                    self._take(message)
                except Exception as error:  # noqa: BLE001 - told to whoever waits
                    self._answers.put({"broken": f"{error!r} in {json.dumps(message)[:2000]}"})
        self._answers.put({"broken": "the server has ended"})

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            if self.checks:
                checked(message, self._methods.get(message["id"]))
            self._answers.put(message)
            return
        if self.checks:
            checked(message, None)
        self.told.append(message)
        if "id" in message:
            result = self.replies.get(message["method"])
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})


def read_message(stream: IO[bytes]) -> dict[str, Any] | None:
    """The next message in a stream; None at its end."""
    length = 0
    while (line := stream.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    body = stream.read(length) if length else b""
    if not body:
        return None
    message: dict[str, Any] = json.loads(body)
    return message
