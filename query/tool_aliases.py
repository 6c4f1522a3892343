"""What other servers call these tools: accepted on call, not listed, with their argument names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .tool_results import ToolResult, json_bytes, json_values
from .tool_shapes import CodeDescription
from .tools import Registry, Tool

Reshape = Callable[[ToolResult, Mapping[str, Any]], ToolResult]


@dataclass(frozen=True, slots=True)
class _Alias:
    """Another name of a tool: how its arguments are called there, which are fixed, and how it answers.

    ``difference`` says in words how the answer differs from the tool's own.
    """

    tool: str
    renamed: Mapping[str, str]
    fixed: Mapping[str, Any]
    reshape: Reshape | None = None
    difference: str = ""


@dataclass(frozen=True, slots=True)
class CalledTool:
    """A registered tool under the name it was called by."""

    tool: Tool
    _alias: _Alias | None = None

    @property
    def renamed(self) -> Mapping[str, str]:
        """The tool's own names of arguments by those that they have under that name."""
        return self._alias.renamed if self._alias is not None else {}

    @property
    def fixed(self) -> Mapping[str, Any]:
        """The arguments that are given by that name."""
        return self._alias.fixed if self._alias is not None else {}

    @property
    def difference(self) -> str:
        """How the answer differs from the tool's own; empty when it does not."""
        return self._alias.difference if self._alias is not None else ""

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments ``given`` under that name as the tool itself calls them."""
        if self._alias is None:
            return dict(given)
        taken = dict(self._alias.fixed)
        for name, value in given.items():
            own = self._alias.renamed.get(name, name)
            taken[name if own in given else own] = value
        return taken

    def answer(self, result: ToolResult, given: Mapping[str, Any]) -> ToolResult:
        """The tool's result in the form that belongs to the name it was called by."""
        if self._alias is None or self._alias.reshape is None or not result.success:
            return result
        return self._alias.reshape(result, given)


def kebab(name: str) -> str:
    """The name of a tool in kebab-case."""
    return name.replace("_", "-")


def find_tool(registry: Registry, name: str, arguments: Mapping[str, Any]) -> CalledTool | None:
    """The registered tool that ``name`` stands for, which may depend on the arguments; None if none."""
    if (tool := registry.get(name)) is not None:
        return CalledTool(tool)
    alias = _ALIASES.get(name)
    if alias is not None and name == "find-methods" and "class" in arguments:
        alias = _ALIASES["class-info"]
    own = alias.tool if alias is not None else name.replace("-", "_")
    if alias is None and kebab(own) != name:
        return None
    tool = registry.get(own)
    return CalledTool(tool, alias) if tool is not None else None


def _code_description(result: ToolResult, _: Mapping[str, Any]) -> ToolResult:
    """A description as the code-describe tools of other servers give it."""
    found = result.structured
    if "error" in found:
        return result
    if "definitions" not in found:  # too long for its budget
        return result
    answer = CodeDescription(
        name=found["name"],
        type=found["type"],
        arglist=found["arglist"],
        documentation=found["documentation"],
        path=_in_project(found["path"]),
        line=found["line"],
    )
    return replace(result, content=json_bytes(answer).decode(), structured=json_values(answer))


def _in_project(path: str | None) -> str | None:
    """A path relative to the folder the server works in, where it lies below that."""
    if path is None:
        return None
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


def _methods(result: ToolResult, _: Mapping[str, Any]) -> ToolResult:
    """The methods of a generic function, a line each."""
    found = result.structured
    if "definitions" not in found:
        return result
    methods = [one for one in found["definitions"] if one["kind"] == "method"]
    lines = [f"{found['written']} [{found['type'].upper()}], {len(methods)} methods shown"]
    for one in methods:
        place = ":".join(str(part) for part in (one["path"], one["line"]) if part is not None)
        words = (found["written"], one["qualifiers"], one["specializers"], place)
        lines.append("  " + "  ".join(word for word in words if word))
    return replace(result, content="\n".join(lines), structured={**found, "definitions": methods})


_SYMBOL = {"symbol": "name"}
_CLASS = {"class": "name", "symbol": "name"}
_SYMBOLS = {
    "symbol": "symbols",
    "name": "symbols",
    "includeContextDetails": "include_package_details",
    "maxLength": "max_length",
}
_DESCRIPTION = _Alias(
    "describe_symbol", _SYMBOL, {}, _code_description, "the answer is a CodeDescription, the text its JSON"
)
_ALIASES = {
    "describe-symbol": _Alias("describe_symbol", _SYMBOL, {}),
    "code-describe": _DESCRIPTION,
    "code_describe": _DESCRIPTION,
    "code.describe": _DESCRIPTION,
    "code-find": _DESCRIPTION,
    "code-find-references": _Alias("find_references", _SYMBOL, {}),
    "who-calls": _Alias("find_references", _SYMBOL, {"relation": "calls"}),
    "who-references": _Alias("find_references", _SYMBOL, {"relation": "references"}),
    "class-info": _Alias("describe_class", _CLASS, {}),
    "describe-class": _Alias("describe_class", _CLASS, {}),
    "find-methods": _Alias("describe_symbol", _SYMBOL, {"limit": 0}, _methods, "methods only"),
    "SymbolDefinition": _Alias("symbol_definition", _SYMBOLS, {}),
    "symbol-definition": _Alias("symbol_definition", _SYMBOLS, {}),
}
OTHER_NAMES = tuple(_ALIASES)
"""The names accepted on call besides those listed and their kebab-case forms."""
