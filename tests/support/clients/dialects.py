"""The four protocols of coding agents and their models: what is offered, what came back, what is said.

Only what the clients need to go on is there: one call of a tool, or one sentence, in one answer.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SENTENCE = "That is all."
_USAGE = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
Json = Mapping[str, Any]


@dataclass(frozen=True)
class Call:
    """A call of a tool, by the name under which the client offers it."""

    name: str
    arguments: Json
    namespace: str | None = None


class Dialect(ABC):
    """One protocol: how to read its requests, and how to answer them."""

    @abstractmethod
    def offered(self, request: Json) -> Iterator[Call]:
        """The tools that the client offers, each as a call without arguments."""

    @abstractmethod
    def results(self, request: Json) -> Iterator[str]:
        """The results of tools that the request brings, as JSON."""

    @abstractmethod
    def events(self, call: Call | None, number: int, model: str) -> list[Json | str]:
        """The answer as a stream of events: a call, or for None the sentence."""

    def whole(self, events: list[Json | str]) -> Json:
        """The same answer to a client that does not want a stream."""
        raise NotImplementedError(type(self).__name__)


class AnthropicMessages(Dialect):
    """POST /v1/messages."""

    def offered(self, request: Json) -> Iterator[Call]:
        for tool in request.get("tools", ()):
            yield Call(tool["name"], {})

    def results(self, request: Json) -> Iterator[str]:
        for message in request["messages"]:
            blocks = message["content"] if isinstance(message["content"], list) else []
            yield from (json.dumps(block) for block in blocks if block["type"] == "tool_result")

    def events(self, call: Call | None, number: int, model: str) -> list[Json | str]:
        delta: Json
        if call is None:
            block: Json = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": SENTENCE}
        else:
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": call.name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)}
        message = {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": _USAGE,
        }
        end = {"stop_reason": "end_turn" if call is None else "tool_use", "stop_sequence": None}
        return [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": end, "usage": _USAGE},
            {"type": "message_stop"},
        ]


class OpenAIResponses(Dialect):
    """POST /v1/responses."""

    def offered(self, request: Json) -> Iterator[Call]:
        for tool in request.get("tools", ()):
            if tool["type"] == "function":
                yield Call(tool["name"], {})
            for inner in tool.get("tools") or ():
                yield Call(inner["name"], {}, tool["name"])

    def results(self, request: Json) -> Iterator[str]:
        for item in request["input"]:
            if item["type"] == "function_call_output":
                yield json.dumps(item["output"])

    def events(self, call: Call | None, number: int, model: str) -> list[Json | str]:
        item: dict[str, Any] = {"id": f"item_{number}", "status": "completed"}
        if call is None:
            content = [{"type": "output_text", "text": SENTENCE, "annotations": []}]
            item |= {"type": "message", "role": "assistant", "content": content}
        else:
            item |= {"type": "function_call", "call_id": f"call_{number}", "name": call.name}
            item |= {"arguments": json.dumps(call.arguments)}
            item |= {"namespace": call.namespace} if call.namespace else {}
        response = {"id": f"resp_{number}", "status": "completed", "output": [item], "usage": _USAGE}
        return [
            {"type": "response.created", "response": {"id": response["id"]}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response},
        ]


class ChatCompletions(Dialect):
    """POST /v1/chat/completions, as OpenAI defined it and others serve it."""

    def offered(self, request: Json) -> Iterator[Call]:
        for tool in request.get("tools", ()):
            yield Call(tool["function"]["name"], {})

    def results(self, request: Json) -> Iterator[str]:
        for message in request["messages"]:
            if message["role"] == "tool":
                yield json.dumps(message["content"])

    def events(self, call: Call | None, number: int, model: str) -> list[Json | str]:
        delta: dict[str, Any] = {"role": "assistant", "content": SENTENCE}
        if call is not None:
            function = {"name": call.name, "arguments": json.dumps(call.arguments)}
            one = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
            delta = {"role": "assistant", "content": None, "tool_calls": [one]}
        end = "stop" if call is None else "tool_calls"
        chunk = {"id": f"chat_{number}", "object": "chat.completion.chunk", "created": 1, "model": model}
        return [
            {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": end}]},
            "[DONE]",
        ]


class GeminiGenerateContent(Dialect):
    """POST /v1beta/models/MODEL:streamGenerateContent."""

    def offered(self, request: Json) -> Iterator[Call]:
        for tools in request.get("tools", ()):
            for tool in tools.get("functionDeclarations", ()):
                yield Call(tool["name"], {})

    def results(self, request: Json) -> Iterator[str]:
        for content in request["contents"]:
            for part in content.get("parts", ()):
                if "functionResponse" in part:
                    yield json.dumps(part["functionResponse"]["response"])

    def events(self, call: Call | None, number: int, model: str) -> list[Json | str]:
        part: Json = {"text": SENTENCE}
        if call is not None:
            part = {"functionCall": {"name": call.name, "args": call.arguments}}
        content = {"role": "model", "parts": [part]}
        counts = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        return [
            {
                "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
                "usageMetadata": counts,
            }
        ]

    def whole(self, events: list[Json | str]) -> Json:
        first = events[0]
        assert not isinstance(first, str)
        return first


def stream(events: list[Json | str]) -> bytes:
    """Events as server-sent events."""
    lines = []
    for event in events:
        if not isinstance(event, str) and "type" in event:
            lines.append(f"event: {event['type']}\n")
        lines.append(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n")
    return "".join(lines).encode()
