"""The tool protocol: what a tool is, and the registry that holds those that can be called.

Every surface for agents (the MCP server, function schemas, ``oblist tools``) is derived from the one
table of tools. Other packages add theirs through the entry point group ``oblist.tools``: each entry
point names a Tool, several of them, or a function without arguments that gives them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SAFE, CAUTIOUS, DANGEROUS = "safe", "cautious", "dangerous"
LEVELS = (SAFE, CAUTIOUS, DANGEROUS)
TYPES = ("string", "boolean", "number", "object", "array")
ENTRY_POINTS = "oblist.tools"
_SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_SECONDS = 10.0

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
        required=tuple(required),
        safety_level=safety_level,
        categories=tuple(categories),
        handler=handler,
        title=title or str(name).replace("_", " ").capitalize(),
        answers=tuple(answers),
        seconds=seconds,
        short=short,
    )


class Registry:
    """The tools that can be called, by name, in the order in which they were registered.

    ``load`` registers more when the registry is first asked.
    """

    def __init__(self, load: Callable[[Registry], None] | None = None) -> None:
        self._tools: dict[str, Tool] = {}
        self._load = load
        self.problems: list[str] = []  # tools of other packages that could not be had, a sentence each

    def register(self, tool: Tool) -> Tool:
        """Add ``tool``; ToolError when it breaks a rule of the protocol."""
        for broken in _broken_rules(tool):
            raise ToolError(f"Tool {tool.name!r}: {broken}")
        if tool.name in self._tools:
            raise ToolError(f"Tool {tool.name!r}: there is one of that name already.")
        self._tools[tool.name] = tool
        return tool

    def get(self, name: str) -> Tool | None:
        """The tool of that name; None when none is registered."""
        self._complete()
        return self._tools.get(name)

    def __iter__(self) -> Iterator[Tool]:
        self._complete()
        return iter(list(self._tools.values()))

    def __len__(self) -> int:
        self._complete()
        return len(self._tools)

    def _complete(self) -> None:
        load, self._load = self._load, None
        if load is not None:
            load(self)


def _broken_rules(tool: Tool) -> Iterator[str]:
    """What is wrong with a tool, a sentence each."""
    if not isinstance(tool.name, str) or not _SNAKE_CASE.fullmatch(tool.name):
        yield "the name must be snake_case (lower-case words joined by underscores)."
    if not tool.description.strip():
        yield "it needs a description: a model chooses by that."
    yield from _broken_parameters(tool)
    if tool.safety_level not in LEVELS:
        yield f"safety level {tool.safety_level!r} is not known; levels: {', '.join(LEVELS)}."
    if not tool.seconds > 0:
        yield f"its time limit must be more than 0 seconds, not {tool.seconds!r}."
    if not _takes_one_mapping(tool.handler):
        yield "the handler must be a function that can be called with one mapping, the arguments."


def _broken_parameters(tool: Tool) -> Iterator[str]:
    names = [parameter.name for parameter in tool.parameters]
    for parameter in tool.parameters:
        if parameter.type not in TYPES:
            yield f"parameter {parameter.name!r} has type {parameter.type!r}; types: {', '.join(TYPES)}."
        if names.count(parameter.name) > 1:
            yield f"parameter {parameter.name!r} stands there twice."
    for name in tool.required:
        if name not in names:
            yield f"required parameter {name!r} is not among its parameters ({', '.join(names) or 'none'})."


def _takes_one_mapping(handler: object) -> bool:
    if not callable(handler) or inspect.iscoroutinefunction(handler):
        return False
    try:
        inspect.signature(handler).bind({})
    except TypeError:
        return False
    except ValueError:  # a builtin that does not tell
        return True
    return True


def _load_all(registry: Registry) -> None:
    """Our own tools, then those of other packages; one of these that fails is reported and left out."""
    from .tool_catalog import TOOLS

    for tool in TOOLS:
        registry.register(tool)
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        try:
            for tool in _tools_of(point.load()):
                registry.register(tool)
        except Exception as error:  # noqa: BLE001 - whatever another package does; it is told
            what = f"{type(error).__name__}: {error}"
            registry.problems.append(f"Tools {point.name} ({point.value}) were left out: {what}")


def _tools_of(loaded: Any) -> Iterable[Tool]:
    if callable(loaded) and not isinstance(loaded, Tool):
        loaded = loaded()
    tools = [loaded] if isinstance(loaded, Tool) else list(loaded)
    for tool in tools:
        if not isinstance(tool, Tool):
            raise ToolError(f"{tool!r} is no tool; define_tool makes one.")
    return tools


registry = Registry(_load_all)
"""The registry that all surfaces use; it loads our tools, and those of other packages, when asked."""
