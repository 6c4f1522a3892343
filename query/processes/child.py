"""The command line of our own commands that run as child processes."""

from __future__ import annotations

import sys

from oblist.lisp.sbcl import ending_with_us


def child_command(command: str, *arguments: str) -> list[str]:
    """The command line of ``oblist`` ``command``, as a process that ends with us."""
    # -P: a folder that we happen to work in is no place to import from.
    return ending_with_us([sys.executable, "-P", "-m", "oblist.query", command, *arguments])
