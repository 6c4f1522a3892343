"""The tool protocol: what a tool is, and the registry that holds those that can be called.

Every surface for agents (the MCP server, function schemas, ``oblist tools``) is derived from the one
table of tools. Other packages add theirs through the entry point group ``oblist.tools``: each entry
point names a Tool, several of them, or a function without arguments that gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SAFE, CAUTIOUS, DANGEROUS = "safe", "cautious", "dangerous"
LEVELS = (SAFE, CAUTIOUS, DANGEROUS)
TYPES = ("string", "boolean", "number", "object", "array")
_SECONDS = 10.0
_MOST_WORDS = 500

Handler = Callable[[Mapping[str, Any]], Any]


class ToolError(ValueError):
    """A tool that cannot be registered; the text says which, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a tool.

    ``type`` is one of TYPES; a list of strings may also be taken where ``type`` is string and
    ``or_array`` holds. A number is a whole one when ``whole`` holds, and at least ``minimum``.
    ``choices`` are the values allowed, which the handler checks itself when ``handler_checks_choices``
    holds. ``longest`` bounds the characters of a string, or of all in a list. ``default`` is what a call
    without it means; it is shown, and it is the handler that applies it.
    """

    name: str
    type: str
    description: str
    choices: Sequence[str] = ()
    handler_checks_choices: bool = False
    whole: bool = False
    minimum: float | None = None
    default: Any = None
    or_array: bool = False
    longest: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a handler returns that has a text for the reader and the same as an object.

    ``structured`` is a dataclass or a mapping; ``notes`` are what to know besides, a sentence each.
    """

    text: str
    structured: Any
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what it is called, what it takes, how safe it is, and what answers.

    ``handler`` takes one mapping, the arguments, and returns text, a list, a mapping, None, a Reply,
    or a pair of a result and an error message, one of them None; it may raise. ``answers`` are the
    dataclasses that its structured content can be. It may take ``seconds``. A ``short`` one does nothing
    but ask the index what takes less than a millisecond; where that takes longer, it is called again in a
    thread.
    """

    name: str
    description: str
    parameters: Sequence[Parameter]
    required: Sequence[str]
    safety_level: str
    categories: Sequence[str]
    handler: Handler
    title: str
    answers: Sequence[type]
    seconds: float
    short: bool


def define_tool(
    name: str,
    description: str,
    parameters: Sequence[Parameter | Mapping[str, Any]],
    *,
    required: Sequence[str] = (),
    safety_level: str = SAFE,
    categories: Sequence[str] = (),
    handler: Handler,
    title: str = "",
    answers: Sequence[type] = (),
    seconds: float = _SECONDS,
    short: bool = False,
) -> Tool:
    """A tool, not yet registered; nothing is checked before that.

    ``parameters`` are Parameters or mappings with their fields; ``title`` is what people see.
    """
    return Tool(
        name=name,
        description=description,
        parameters=tuple(
            parameter if isinstance(parameter, Parameter) else Parameter(**parameter)
            for parameter in parameters
        ),
        required=tuple(required) if isinstance(required, list | tuple) else required,
        safety_level=safety_level,
        categories=tuple(categories),
        handler=handler,
        title=title or str(name).replace("_", " ").capitalize(),
        answers=tuple(answers),
        seconds=seconds,
        short=short,
    )


def error_words(error: BaseException) -> str:
    """What an exception is and says, on one line; that of another package may not even tell."""
    try:
        said = " ".join(str(error).split())[:_MOST_WORDS]
    except Exception:  # noqa: BLE001 - its own __str__ fails
        said = "(it has no words)"
    return f"{type(error).__name__}: {said}"
