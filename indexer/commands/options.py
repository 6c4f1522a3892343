"""Options shared by the commands that load and index something."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_Command = TypeVar("_Command", bound=Callable[..., Any])

_SET_UP = (
    click.option(
        "--load", "files", type=_FILE, metavar="FILE", multiple=True, help="Load FILE first; may be repeated."
    ),
    click.option("--init", type=_FILE, metavar="FILE", help="Load FILE instead of your own init file."),
    click.option("--no-userinit", is_flag=True, help="Do not load your own init file (~/.sbclrc)."),
    click.option("--sbcl", metavar="PATH", help="The SBCL to index (default: $SBCL, else sbcl on the PATH)."),
)
_KEPT = (
    click.option("--no-sources", is_flag=True, help="Leave the text of the source files out of the index."),
    click.option(
        "--no-snapshot",
        is_flag=True,
        envvar="OBLIST_NO_SNAPSHOT",
        help="Do not save a core of the image to read values from (default: $OBLIST_NO_SNAPSHOT).",
    ),
)


load_timeout_option = click.option(
    "--load-timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    help="Seconds allowed for loading one system or file.",
)
tests_option = click.option("--tests", is_flag=True, help="Load the project's test systems, too.")
overwrite_option = click.option(
    "--overwrite", is_flag=True, help="Replace the file at --output even if it is not an index."
)


def set_up_options(command: _Command) -> _Command:
    """Add the options for SBCL and what it loads first: ``files``, ``init``, ``no_userinit``, ``sbcl``."""
    return _with(command, _SET_UP)


def kept_options(command: _Command) -> _Command:
    """Add the options for what is kept besides the facts: ``no_sources``, ``no_snapshot``."""
    return _with(command, _KEPT)


def _with(command: _Command, options: tuple[Callable[[_Command], _Command], ...]) -> _Command:
    for option in reversed(options):
        command = option(command)
    return command
