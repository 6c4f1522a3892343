"""The options on how people see answers: of ``oblist`` itself, and after every command that answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])
COLOUR = "oblist colour"
"""Where the context of a command keeps the value of --color."""
UNPAGED = "oblist unpaged"
"""Where the context keeps --no-pager."""


def _kept_as(key: str) -> Callable[[click.Context, click.Parameter, object], None]:
    """A callback that keeps an option until the answer is shown; the last one that was given counts."""

    def keep(ctx: click.Context, _: click.Parameter, value: object) -> None:
        if value:
            ctx.meta[key] = value

    return keep


def adding(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """A decorator that adds options to a command, in this order."""

    def with_options(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return with_options


def display_options(*, hidden: bool) -> Callable[[_Command], _Command]:
    """Add the options; ``hidden`` after a command: the help of ``oblist`` itself has them."""
    return adding(
        click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            expose_value=False,
            callback=_kept_as(COLOUR),
            hidden=hidden,
            help="Colour answers, and link places to their files: auto (on a terminal, unless $NO_COLOR is "
            "set), always or never. This option may also follow the command.",
        ),
        click.option(
            "--no-pager",
            is_flag=True,
            expose_value=False,
            callback=_kept_as(UNPAGED),
            hidden=hidden,
            help="Do not page long answers on a terminal. The pager is $OBLIST_PAGER, else $PAGER, else "
            "less; an empty value or cat turns paging off. This option may also follow the command.",
        ),
    )
