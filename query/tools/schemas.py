"""The schemas of tools: JSON Schema of arguments and answers, MCP tools, OpenAI-style functions.

The schemas of answers are derived from the dataclasses here rather than by pydantic's TypeAdapter: building
its adapters for our tools takes 240 ms, this code takes 9 ms, and a server should start quickly. Pydantic's
schemas would also lack the descriptions of fields, and would allow further fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from .vocabulary import SAFE, Parameter, Tool

Schema = dict[str, Any]
_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def input_schema(tool: Tool) -> Schema:
    """The JSON Schema of the arguments of ``tool``.

    It is short, since models read it in each conversation: what is too long, too small or unknown is refused
    when the tool is called, with a better message than a validator gives; and what an answer that is cut, or
    a refusal, says how to use is not listed.
    """
    listed = (parameter for parameter in tool.parameters if parameter.listed)
    schema: Schema = {
        "type": "object",
        "properties": {parameter.name: _parameter_schema(parameter) for parameter in listed},
    }
    if tool.required:
        schema["required"] = list(tool.required)
    return schema


def _parameter_schema(parameter: Parameter) -> Schema:
    kind = "integer" if parameter.type == "number" and parameter.whole else parameter.type
    schema: Schema = {"type": [kind, "array"] if parameter.or_array else kind}
    if parameter.or_array or parameter.type == "array":
        schema["items"] = {"type": "string"}
    schema["description"] = parameter.description
    if parameter.choices:
        schema["enum"] = list(parameter.choices)
    if parameter.default:  # nothing, zero and false are what one expects
        schema["default"] = parameter.default
    return schema


def output_schema(tool: Tool) -> Schema | None:
    """The JSON Schema of the structured content of ``tool``; None if it has none."""
    return answers_schema(tuple(tool.answers)) if tool.answers else None


@cache
def answers_schema(answers: Sequence[type]) -> Schema:
    """The JSON Schema of an object that is one of ``answers``, which are dataclasses."""
    definitions: dict[str, Schema] = {}
    options = [_type_schema(answer, definitions) for answer in answers]
    return {"type": "object", "anyOf": options, "$defs": definitions}


def _type_schema(kind: Any, definitions: dict[str, Schema]) -> Schema:
    if is_dataclass(kind) and isinstance(kind, type):
        _define(kind, definitions)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        options = [_type_schema(argument, definitions) for argument in arguments]
        if all(set(option) == {"type"} for option in options):
            return {"type": [option["type"] for option in options]}
        return {"anyOf": options}
    if origin is list:
        return {"type": "array", "items": _type_schema(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type_schema(arguments[1], definitions)}
    return {"type": _SIMPLE[kind]}


def _define(answer: Any, definitions: dict[str, Schema]) -> None:
    """Add the schema of a dataclass to ``definitions``; all fields are required."""
    if answer.__name__ in definitions:
        return
    schema: Schema = {"type": "object"}
    definitions[answer.__name__] = schema
    types = get_type_hints(answer)
    properties = {}
    for field in fields(answer):
        described = {"description": field.metadata["doc"]} if "doc" in field.metadata else {}
        properties[field.name] = {**_type_schema(types[field.name], definitions), **described}
    schema |= {"properties": properties, "required": list(properties), "additionalProperties": False}


def hints(tool: Tool) -> Schema:
    """MCP's hints about ``tool``, derived from its safety level alone.

    A tool that is not safe may do anything that code can do, and its hints do not understate this. Of one
    that only reads, the other hints mean nothing, so they are left out.
    """
    if tool.safety_level == SAFE:
        return {"readOnlyHint": True, "openWorldHint": False}
    return {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}


def mcp_tool(tool: Tool, name: str | None = None, *, structured: bool = False) -> Schema:
    """``tool`` as MCP lists it (revision 2025-11-25), under ``name`` if one is given.

    With ``structured``, the schema of its structured content is part of it.
    """
    shown: Schema = {
        "name": name or tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": input_schema(tool),
        "annotations": hints(tool),
    }
    if structured and (output := output_schema(tool)) is not None:
        shown["outputSchema"] = output
    return shown


def openai_function(tool: Tool, name: str | None = None) -> Schema:
    """``tool`` as an OpenAI-style function, which most other model interfaces accept too."""
    return {
        "type": "function",
        "function": {
            "name": name or tool.name,
            "description": tool.description,
            "parameters": input_schema(tool),
        },
    }
