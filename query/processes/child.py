"""The command lines that run our own commands as child processes."""

from __future__ import annotations

import sys

from oblist.lisp.sbcl import ending_with_us


def child_command(command: str, *arguments: str) -> list[str]:
    """The command line that runs ``oblist COMMAND`` in a process that ends with us."""
    # -P: never import from the working folder.
    return ending_with_us([sys.executable, "-P", "-m", "oblist.query", command, *arguments])
