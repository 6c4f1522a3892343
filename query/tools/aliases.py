"""Other servers' names for our tools, with their argument names: accepted in calls, but not listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .arguments import checked
from .handlers.aliases import code_description, code_place, find_methods, function_arglist
from .registry import Registry
from .vocabulary import Handler, Tool


@dataclass(frozen=True, slots=True)
class _Alias:
    """Another name for a tool: the fixed arguments under that name, and the handler.

    ``handler`` replaces the tool's own; ``difference`` says how its answer differs.
    """

    tool: str
    fixed: Mapping[str, Any]
    handler: Handler | None = None
    difference: str = ""


@dataclass(frozen=True, slots=True)
class CalledTool:
    """A registered tool, under the name that it was called by."""

    tool: Tool
    _alias: _Alias | None = None

    @property
    def renamed(self) -> Mapping[str, str]:
        """The tool's own argument names, by those that they have with other servers."""
        known = {one.name for one in self.tool.parameters}
        theirs = _PARAMETERS.get(self.tool.name, {})
        return {name: own for name, own in theirs.items() if name not in known}

    @property
    def fixed(self) -> Mapping[str, Any]:
        """The arguments that the name implies."""
        return self._alias.fixed if self._alias is not None else {}

    @property
    def difference(self) -> str:
        """The difference from the tool's own answer; empty when there is none."""
        return self._alias.difference if self._alias is not None else ""

    def checked(self, given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """The arguments ``given`` under the name called, as the handler takes them, and their errors.

        Errors use the names that the caller used; null counts as not given.
        """
        if not self.renamed:
            taken, wrong = checked(self.tool, given)
            return {**self.fixed, **taken}, wrong
        known = [one.name for one in self.tool.parameters]
        own = {name: self.renamed.get(name, name) for name in given}
        given = {name: value for name, value in given.items() if value is not None or own[name] not in known}
        used: dict[str, str] = {}
        for name in given:
            if (other := used.setdefault(own[name], name)) != name:
                return {}, [f"Parameters {other} and {name} mean the same: give only one of them."]
        shown = {name: used.get(name) or self._names(name) for name in known}
        named = [replace(one, name=shown[one.name]) for one in self.tool.parameters]
        required = [shown[name] for name in self.tool.required]
        tool = replace(self.tool, find_parameters=lambda: named, find_required=lambda: required)
        taken, wrong = checked(tool, given)
        return {**self.fixed, **{own[name]: value for name, value in taken.items()}}, wrong

    def _names(self, own: str) -> str:
        """The names that a parameter may have under the name called; ``own`` alone under the tool's own."""
        if self._alias is None:
            return own
        return " or ".join([*(theirs for theirs, name in self.renamed.items() if name == own), own])


def kebab(name: str) -> str:
    """The name of a tool in kebab-case."""
    return name.replace("_", "-")


def find_tool(registry: Registry, name: str, arguments: Mapping[str, Any]) -> CalledTool | None:
    """The registered tool that ``name`` means, which may depend on the arguments; None if there is none."""
    own = name.replace("-", "_") if kebab(name) == name else name
    alias = _ALIASES.get(name) or _ALIASES.get(kebab(name))
    # A registered tool takes precedence over an alias; for our own tools, both are the same tool.
    if (tool := registry.get(own)) is not None and (alias is None or alias.tool != own or name == own):
        return CalledTool(tool)
    if kebab(name) == "find-methods" and "class" in arguments:
        alias = _ALIASES["class-info"]
    tool = registry.get(alias.tool) if alias is not None else None
    if alias is None or tool is None:
        return None
    if alias.handler is not None:
        tool = replace(tool, handler=alias.handler, short=False)
    return CalledTool(tool, alias)


_SYMBOL = {"symbol": "name"}
_CLASS = {"class": "name", "symbol": "name"}
_SYMBOLS = {
    "symbol": "symbols",
    "name": "symbols",
    "includeContextDetails": "include_package_details",
    "maxLength": "max_length",
}
# The names that parameters have with other servers, which hold under every name of the tool.
_PARAMETERS = {
    "describe_symbol": _SYMBOL,
    "find_references": _SYMBOL,
    "describe_class": _CLASS,
    "symbol_definition": _SYMBOLS,
}
_DESCRIPTION = _Alias(
    "describe_symbol",
    {},
    code_description,
    "the structured answer is a CodeDescription, and the text is that object in JSON; an unknown "
    "location is left out; for a symbol that names nothing, the call fails",
)
_CONTEXTS = _Alias(
    "symbol_definition",
    {"contexts": True},
    None,
    "headings contain only names, and packages are called contexts",
)
_ALIASES = {
    "describe-symbol": _Alias("describe_symbol", {}),
    "code-describe": _DESCRIPTION,
    "code_describe": _DESCRIPTION,
    "code.describe": _DESCRIPTION,
    "code-find": _DESCRIPTION,
    "code-find-definition": _Alias("describe_symbol", {}, code_place, "the answer is only `path:line`"),
    "function-arglist": _Alias("describe_symbol", {}, function_arglist, "the answer is only the lambda list"),
    "code-find-references": _Alias("find_references", {}),
    "who-calls": _Alias("find_references", {"relation": "calls"}),
    "who-references": _Alias("find_references", {"relation": "references"}),
    "api-changes": _Alias("what_changes", {}),
    "class-info": _Alias("describe_class", {}),
    "describe-class": _Alias("describe_class", {}),
    "find-methods": _Alias(
        "describe_symbol",
        {"limit": 50},
        find_methods,
        "the answer contains only methods (as its definitions), and `limit` is 50",
    ),
    "SymbolDefinition": _CONTEXTS,
    "symbol-definition": _Alias("symbol_definition", {}),
}
OTHER_NAMES = tuple(_ALIASES)
"""The names accepted in calls, besides the listed names and their kebab-case forms."""
