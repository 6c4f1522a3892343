"""Showing text to people: wrapped to the terminal, coloured, and a screen at a time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from ..questions.styled import Line
from .pager import pager_for, show_paged
from .painting import Painter, has_links, is_wanted, unpainted
from .wrapping import terminal_width, wrapped


def display(lines: Iterable[Line], colour: str, *, paged: bool) -> None:
    """Show ``lines`` on the terminal; ``colour`` is auto, always or never, as --color has it."""
    rows = list(wrapped(lines, terminal_width()))
    pager = pager_for(len(rows)) if paged else None
    write = unpainted
    if is_wanted(colour):
        write = Painter(links=has_links() and (pager is None or pager.has_links)).painted
    text = "\n".join(write(row).rstrip(" ") for row in rows) + "\n"
    if pager is None or not show_paged(text, pager):
        click.echo(text, nl=False, color=True)


def coloured(lines: Iterable[Line]) -> str:
    """The text of ``lines`` as it is in a pipe, with colours."""
    painter = Painter(links=False)
    return "\n".join(" " * one.indent + painter.painted(one.segments) for one in lines)


def working_folder() -> Path | None:
    """The folder that places are shown relative to; None if it is gone."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None
