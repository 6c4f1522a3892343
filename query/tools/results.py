"""The result of a tool call, made from the value that its handler returned."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any

import orjson

from ..index.standpoint.seen_from import seen_lines
from .vocabulary import Reply

# The reasons for having no answer; the command line derives its exit code from them.
UNKNOWN_TOOL, BAD_ARGUMENTS, NOT_ALLOWED, NO_INDEX, TIME_LIMIT, FAILED = (
    "unknown-tool",
    "bad-arguments",
    "not-allowed",
    "no-index",
    "time-limit",
    "failed",
)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outcome of a call.

    ``content`` is the answer as text. If there is no answer, ``error`` is the message and ``failure`` one of
    the reasons above. ``structured`` is the answer as JSON values, or None if there is only text;
    ``notes`` are further remarks, one sentence each.
    """

    success: bool
    content: str
    error: str | None = None
    structured: Any = None
    notes: tuple[str, ...] = ()
    failure: str | None = None


def failed(failure: str, message: str) -> ToolResult:
    """The result of a call without an answer; a model can act on ``message``."""
    return ToolResult(False, "", storable(message), failure=failure)


def result_of(returned: Any, *, structured: bool = True) -> ToolResult:
    """The result of a call whose handler returned ``returned``; ``structured`` keeps it as an object, too."""
    if isinstance(returned, tuple) and len(returned) == 2:
        answer, error = returned
        if error is not None:
            return failed(FAILED, str(error))
        returned = answer
    if inspect.isawaitable(returned):
        if inspect.iscoroutine(returned):
            returned.close()  # otherwise Python warns that it was never awaited
        return failed(FAILED, "The handler returned an awaitable; a handler must be a plain function.")
    if isinstance(returned, Reply):
        return _result_of_reply(returned, structured)
    return ToolResult(True, storable(shown(returned)))


def _result_of_reply(reply: Reply, wanted: bool) -> ToolResult:
    structured = reply.structured
    is_object = isinstance(structured, Mapping) or (
        is_dataclass(structured) and not isinstance(structured, type)
    )
    if not is_object:
        kind = type(structured).__name__
        return failed(FAILED, f"The handler's structured reply must be a dataclass or a mapping, not {kind}.")
    notes = [reply.notes] if isinstance(reply.notes, str) else reply.notes or ()
    if incomplete := getattr(structured, "incomplete", None):
        notes = [f"{incomplete}.", *notes]
    if outdated := getattr(structured, "outdated", None):
        notes = [*notes, f"{outdated}."]
    notes = [*notes, *seen_lines(getattr(structured, "seen_from", None))]
    return ToolResult(
        True,
        storable(str(reply.text)),
        None,
        json_values(structured) if wanted or reply.always else None,
        tuple(storable(str(note)) for note in notes),
    )


def shown(value: Any) -> str:
    """A handler's value as text: None as ``nil``, lists and mappings as JSON."""
    if value is None:
        return "nil"
    if isinstance(value, str):
        return value
    return json_bytes(value).decode("utf-8", "replace")


def json_bytes(value: Any) -> bytes:
    """``value`` as JSON in UTF-8; dataclasses as objects, lone surrogates escaped."""
    try:
        return orjson.dumps(value, default=_plain, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:  # a lone surrogate, or a value that JSON cannot express
        return json.dumps(_cleaned(value), default=_text, ensure_ascii=False).encode()


def json_values(value: Any) -> Any:
    """``value`` as a deep copy made of JSON values."""
    return orjson.loads(json_bytes(value))


def storable(text: str) -> str:
    """``text`` with lone surrogates escaped, since UTF-8 cannot encode them."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    return str(value)


def _text(value: Any) -> str:
    return storable(str(value))


def _cleaned(value: Any) -> Any:
    """``value`` in plain types, with strings that UTF-8 can encode."""
    if isinstance(value, str):
        return storable(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _cleaned(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {storable(str(key)): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_cleaned(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None  # as orjson does: JSON cannot express infinities and NaN
    return value
