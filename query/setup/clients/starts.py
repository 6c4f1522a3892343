"""How clients start what their files name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..client import LSP, MCP, ServerStart
from ..errors import SetupError
from ..place import SetupPlace

Starting = Callable[[Any], Sequence[ServerStart]]
_VARIABLE = re.compile(r"\$\{workspaceFolder\}")


def program_and_arguments(place: SetupPlace, server: str = MCP, folder: Path | None = None) -> Starting:
    """Of a table with ``command`` and ``args``, as most clients have it; in ``folder`` or the project."""

    def starts(value: Any) -> Sequence[ServerStart]:
        table = _a_table(value)
        arguments = table.get("args") or []
        command = [table.get("command"), *(arguments if isinstance(arguments, list) else [arguments])]
        chosen = table.get("cwd")
        where = Path(_expanded(chosen, place)) if isinstance(chosen, str) else folder or place.project
        return (ServerStart(server, _command(command, place), where, _variables(table.get("env"))),)

    return starts


def one_list(
    place: SetupPlace, server: str, key: str = "command", variables: str = "environment"
) -> Starting:
    """Of a table whose ``command`` is the program with its arguments."""

    def starts(value: Any) -> Sequence[ServerStart]:
        table = _a_table(value)
        command = _command(table.get(key), place)
        return (ServerStart(server, command, place.project, _variables(table.get(variables))),)

    return starts


def language_server(place: SetupPlace, program: str) -> Starting:
    """Of a file of code that starts the language server by ``program``."""
    return lambda _: (ServerStart(LSP, [program, "lsp"], place.project),)


def _a_table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise SetupError("the entry for oblist is neither a table nor an object")
    return value


def _command(words: Any, place: SetupPlace) -> list[str]:
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        raise SetupError("the entry for oblist names no command")
    return [_expanded(word, place) for word in words]


def _variables(table: Any) -> dict[str, str]:
    return {str(name): str(value) for name, value in table.items()} if isinstance(table, dict) else {}


def _expanded(word: str, place: SetupPlace) -> str:
    return _VARIABLE.sub(lambda _: str(place.project), word)
