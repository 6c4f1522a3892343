"""A model on this machine that does as a script says: it calls one tool, and then says one sentence."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

from support.clients.dialects import (
    AnthropicMessages,
    Call,
    ChatCompletions,
    Dialect,
    GeminiGenerateContent,
    OpenAIResponses,
    stream,
)

_DIALECTS: dict[str, Dialect] = {
    r".*/v1/messages": AnthropicMessages(),
    r".*/responses": OpenAIResponses(),
    r".*/chat/completions": ChatCompletions(),
    r".*:(stream)?[gG]enerateContent": GeminiGenerateContent(),
}
# Claude Code tells its model only the names of most tools; the model asks for the rest with this one.
_FINDER = "ToolSearch"
_SECONDS = 60.0


class ScriptedModel:
    """A server of all dialects, which notes what clients offered and what their tools answered.

    It calls the tool whose name ends with ``tool`` when that is offered, and no tool has been called yet.
    """

    def __init__(self, tool: str, arguments: Mapping[str, Any]) -> None:
        self._tool = tool
        self._arguments = arguments
        self._numbers = count(1)
        self.requests: list[tuple[str, str]] = []
        self.offered: set[str] = set()
        self.called: list[Call] = []
        self.results: list[str] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = _SECONDS

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                status, kind, answer = model.answer(self.path.partition("?")[0], body)
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ScriptedModel:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: bytes) -> tuple[int, str, bytes]:
        """The status, the type and the text of the answer to a request."""
        text = body.decode("utf-8", "replace")
        self.requests.append((path, text))
        dialect = next((one for form, one in _DIALECTS.items() if re.fullmatch(form, path)), None)
        if dialect is None:
            return 404, "application/json", b'{"error": {"message": "the script does not have this"}}'
        request = json.loads(text)
        offered = list(dialect.offered(request))
        self.offered |= {call.name for call in offered}
        results = list(dialect.results(request))
        self.results += [result for result in results if result not in self.results]
        call = self._next(offered, results, text)
        self.called += [call] if call is not None else []
        events = dialect.events(call, next(self._numbers), request.get("model", ""))
        if request.get("stream") or path.endswith(":streamGenerateContent"):
            return 200, "text/event-stream", stream(events)
        return 200, "application/json", json.dumps(dialect.whole(events)).encode()

    def _next(self, offered: list[Call], results: list[str], text: str) -> Call | None:
        """The next call of the script; None when it is done, or the request has no such tool."""
        if any(call.name.endswith(self._tool) for call in self.called):
            return None
        for call in offered:
            if call.name.endswith(self._tool):
                return Call(call.name, self._arguments, call.namespace)
        named = re.search(rf"mcp__\w+__{self._tool}\b", text)
        if named is None or results or _FINDER not in {call.name for call in offered}:
            return None
        return Call(_FINDER, {"query": f"select:{named.group()}"})
