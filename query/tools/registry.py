"""The registry of tools: our own tools, and those of other packages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from typing import Any

from .vocabulary import Tool, ToolError, error_words

ENTRY_POINTS = "oblist.tools"


class Registry:
    """The tools by name, in order of registration.

    ``load`` registers more when the registry is first used.
    """

    def __init__(self, load: Callable[[Registry], None] | None = None) -> None:
        self._tools: dict[str, Tool] = {}
        self._load = load
        self.problems: list[str] = []  # the failures of other packages' tools to load, one sentence each

    def register(self, tool: Tool) -> Tool:
        """Add ``tool``. Raises ToolError when it breaks a rule of the protocol."""
        from .rules import broken_rules

        for broken in broken_rules(tool):
            raise ToolError(f"Tool {tool.name!r}: {broken}")
        return self.add(tool)

    def add(self, tool: Tool) -> Tool:
        """Add ``tool``, which is known to keep the rules. Raises ToolError when its name is taken."""
        if tool.name in self._tools:
            raise ToolError(f"Tool {tool.name!r}: a tool with this name is already registered.")
        self._tools[tool.name] = tool
        return tool

    def get(self, name: str) -> Tool | None:
        """The tool called ``name``; None when there is none."""
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


def _load_all(registry: Registry) -> None:
    """Load our own tools, then those of other packages; a package that fails is reported and left out."""
    from .table import TOOLS

    for tool in TOOLS:
        registry.add(tool)  # a test checks them: making their schemas would delay the start of a server
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        try:
            # Whatever a package prints would be taken for the answer, or for a message of the protocol.
            with redirect_stdout(sys.stderr):
                for tool in _tools_of(point.load()):
                    registry.register(tool)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever another package does is reported
            registry.problems.append(
                f"Tools {point.name} ({point.value}) were left out: {error_words(error)}"
            )


def _tools_of(loaded: Any) -> Iterable[Tool]:
    if callable(loaded) and not isinstance(loaded, Tool):
        loaded = loaded()
    tools = [loaded] if isinstance(loaded, Tool) else list(loaded)
    for tool in tools:
        if not isinstance(tool, Tool):
            raise ToolError(f"{tool!r} is not a tool; make one with define_tool.")
    return tools


registry = Registry(_load_all)
"""The registry that all servers and commands use; it loads the tools when first used."""
