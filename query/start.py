"""Where the command ``oblist`` begins: interrupted while it is imported, it ends without a traceback."""

from __future__ import annotations

import signal

from .processes.collection import lasting


def main() -> None:
    """Run the command line (cli.py)."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # by nohup, for example
    if not ignored:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    with lasting():  # imports make no garbage, and looking for some takes a tenth of a question
        from .cli import main as run

    if not ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
