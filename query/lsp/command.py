"""The command ``lsp``."""

from __future__ import annotations

import logging
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import click

from oblist.indexer.extras import require

from ..errors import ServingError
from ..terminal.serving import CannotServeError


@click.command()
@click.option(
    "--index",
    "path",
    metavar="FILE",
    help="The index that answers for every file (default: that of each workspace folder, else the user's).",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Keep the index of each workspace folder up to date while its sources change; this runs their code.",
)
@click.option("--tcp", metavar="[HOST:]PORT", help="Serve clients on this machine over TCP instead of stdio.")
def lsp(path: str | None, watch: bool, tcp: str | None) -> None:
    """Serve the index to editors over the Language Server Protocol, on stdio; no Lisp is needed.

    Set it up in your editor as the command `oblist lsp`; docs/lsp.md shows how. Answers come
    from the index and from the text of the open documents: nothing is loaded or evaluated. Install the server
    with: pip install 'oblist[lsp]'
    """
    require("the language server", "lsp", "pygls", "lsprotocol")
    if None in (sys.stdin, sys.stdout, sys.stderr):  # files opened later would get their descriptors
        raise CannotServeError("Standard input, output and error must be open; one of them is closed.")
    import asyncio

    from ..processes.background_lines import LinesHandler, stderr_lines
    from .server import Connection
    from .serving import serve_stdio
    from .tcp import serve_tcp
    from .watching import Watching

    handler = LinesHandler(stderr_lines)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, format="oblist: %(message)s")
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)  # our own handlers say what went wrong
    with ExitStack() as stack:
        watching = stack.enter_context(Watching())

        def connect() -> Connection:
            connection = Connection(Path(path) if path is not None else None, watching.follow)
            if watch:
                connection.watch_all()
            return connection

        stack.callback(stderr_lines.flush)
        if tcp is None:
            if sys.stdin.isatty():
                click.echo("oblist: waiting for an editor on standard input; press Ctrl-C to stop", err=True)
            sys.exit(asyncio.run(serve_stdio(connect)))
        listener = _listener(tcp)
        host, port = listener.getsockname()[:2]
        click.echo(f"oblist: serving the Language Server Protocol on {host}:{port}", err=True)
        sys.exit(asyncio.run(serve_tcp(connect, listener)))


def _listener(address: str) -> socket.socket:
    """The socket to serve on; an address that is not this machine's ends the command."""
    from ..processes.listening import listening_socket

    try:
        return listening_socket(address)
    except ServingError as error:
        raise CannotServeError(str(error)) from error
