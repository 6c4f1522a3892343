"""The command ``refactor``: a group of the changes of a project that are not renames."""

from __future__ import annotations

import click

from ..terminal.lazy_group import LazyGroup

_COMMANDS = ".refactor.packages.commands:"

# Each command, with its module and a line of help.
REFACTOR_COMMANDS = {
    "import": (f"{_COMMANDS}import_names", "Import symbols, and write them without a package prefix."),
    "qualify": (f"{_COMMANDS}qualify", "Stop importing symbols, and write them with a package prefix."),
    "expand-use": (
        f"{_COMMANDS}expand_use",
        "Import only the names that are used from a package, instead of using it.",
    ),
    "nickname": (f"{_COMMANDS}nickname", "Give a package a local nickname, and use it as the prefix."),
    "drop-nickname": (
        f"{_COMMANDS}drop_nickname",
        "Remove a local nickname, and write the package's name as the prefix.",
    ),
    "drop-unused": (f"{_COMMANDS}drop_unused", "Drop imports that nothing uses and, if asked to, exports."),
    "move": (".refactor.moving.command:move", "Move a definition to another file of its system."),
}


@click.group(cls=LazyGroup, table=REFACTOR_COMMANDS)
def refactor() -> None:
    """Edit package definitions, or move a definition to another file: show, prove and write the change.

    If the index and the text cannot tell what a change would do, it is refused, and the places are
    listed.
    """
