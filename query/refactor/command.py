"""The command ``refactor``: a group of the changes of a project that are not renames."""

from __future__ import annotations

import click

from ..terminal.lazy_group import LazyGroup

_COMMANDS = ".refactor.packages.commands:"

# Each command, with its module and a line of help.
REFACTOR_COMMANDS = {
    "import": (f"{_COMMANDS}import_names", "Import symbols, and write them without their package."),
    "qualify": (f"{_COMMANDS}qualify", "Import symbols no more, and write them with their package."),
    "expand-use": (f"{_COMMANDS}expand_use", "Import the names that are used of a package instead of all."),
    "nickname": (f"{_COMMANDS}nickname", "Give a package a local nickname, and write that."),
    "drop-nickname": (f"{_COMMANDS}drop_nickname", "Write a package instead of its local nickname."),
    "drop-unused": (f"{_COMMANDS}drop_unused", "Drop imports that nothing uses; exports if asked to."),
    "move": (".refactor.moving.command:move", "Move a definition to another file of its system."),
}


@click.group(cls=LazyGroup, table=REFACTOR_COMMANDS)
def refactor() -> None:
    """Change the packages of a project, or the file of a definition: show it, prove it, write it.

    What the index and the text cannot tell is refused, with the places.
    """
