"""The rules that a tool must follow to be registered."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator

from .schemas import mcp_tool
from .vocabulary import LEVELS, SAFE, TYPES, Tool, error_words

_SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def broken_rules(tool: Tool) -> Iterator[str]:
    """The rules that a tool breaks, one sentence each."""
    if not isinstance(tool.name, str) or not _SNAKE_CASE.fullmatch(tool.name):
        yield "the name must be snake_case (lower-case words joined by underscores)."
    if not isinstance(tool.description, str) or not tool.description.strip():
        yield "it needs a description (a string): models choose tools by their descriptions."
    if not isinstance(tool.title, str):
        yield f"its title must be a string, not {tool.title!r}."
    yield from _broken_parameters(tool)
    if tool.safety_level not in LEVELS:
        yield f"safety level {tool.safety_level!r} is not known; the levels are: {', '.join(LEVELS)}."
    switches = [one.name for one in tool.parameters if one.type == "boolean"]
    if tool.dangerous_with and (tool.safety_level != SAFE or tool.dangerous_with not in switches):
        yield (
            f"dangerous_with={tool.dangerous_with!r} needs a safe tool with a boolean parameter of that name."
        )
    if isinstance(tool.seconds, bool) or not isinstance(tool.seconds, int | float) or not tool.seconds > 0:
        yield f"its time limit must be more than 0 seconds, not {tool.seconds!r}."
    if not _takes_one_mapping(tool.handler):
        yield "the handler must be callable with one mapping, which holds the arguments."
    yield from _broken_schemas(tool)


def _broken_parameters(tool: Tool) -> Iterator[str]:
    names = [parameter.name for parameter in tool.parameters]
    for parameter in tool.parameters:
        name = parameter.name
        if not isinstance(name, str) or not name.isascii() or not name.isidentifier():
            yield f"the name of parameter {name!r} must be an identifier (letters, digits, underscores)."
        if not isinstance(parameter.description, str):
            yield f"the description of parameter {name!r} must be a string."
        if parameter.type not in TYPES:
            yield f"parameter {name!r} has the unknown type {parameter.type!r}; types: {', '.join(TYPES)}."
        if names.count(name) > 1:
            yield f"parameter {name!r} is listed twice."
    if not isinstance(tool.required, tuple) or not all(isinstance(name, str) for name in tool.required):
        yield f"required must be a list of parameter names, not {tool.required!r}."
        return
    for name in tool.required:
        if name not in names:
            shown = ", ".join(map(str, names)) or "none"
            yield f"required parameter {name!r} is not among its parameters ({shown})."


def _broken_schemas(tool: Tool) -> Iterator[str]:
    """The reason why the tool cannot be listed, if any: clients get its schemas as JSON."""
    try:
        json.dumps(mcp_tool(tool, structured=True), ensure_ascii=False, allow_nan=False).encode()
    except Exception as error:  # noqa: BLE001 - whatever its types do is reported
        yield (
            "it has no JSON Schema: its answers must be dataclasses of plain types, and its texts and "
            f"defaults must be encodable as JSON in UTF-8 ({error_words(error)})."
        )


def _takes_one_mapping(handler: object) -> bool:
    if not callable(handler) or inspect.iscoroutinefunction(handler):
        return False
    try:
        inspect.signature(handler).bind({})
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature
        return True
    return True
