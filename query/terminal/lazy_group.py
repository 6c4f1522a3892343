"""A group of commands that are loaded when they are used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from ..imported import imported
from ..index.damage import CAUSED_BY_ROWS
from ..processes.collection import lasting

_PACKAGE = "oblist.query"


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is used.

    ``table`` has for each command a line of help, and where it is, relative to the package ``oblist.query``:
    the command itself, or the class of the parameters of a question that it asks.
    """

    def __init__(self, *args: Any, table: Mapping[str, tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self._table = table

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was named; an index that it opened may be to blame for an error."""
        try:
            return super().invoke(ctx)
        except CAUSED_BY_ROWS as error:
            from .opening import raise_no_index

            raise_no_index(error)
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the table."""
        return list(self._table)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that ``args`` begin with; a name that does not exist is answered by one that does."""
        if (name := args[0]) not in self._table:
            from difflib import get_close_matches

            if near := get_close_matches(name, self._table, n=1):
                ctx.fail(f"No such command {name!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in self._table:
            return None
        with lasting():
            found = imported(self._table[cmd_name][0], _PACKAGE)
            if isinstance(found, type):  # a question, whose command follows from its parameters
                from .question_command import command_of

                found = command_of(found, cmd_name)
        assert isinstance(found, click.Command)
        return found

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """The commands, none of which is imported, or the options that begin so."""
        from click.shell_completion import CompletionItem

        fitting = [(name, what) for name, (_, what) in self._table.items() if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=what) for name, what in fitting), *options]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in self._table.items()])
