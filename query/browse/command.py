"""The command ``browse``."""

from __future__ import annotations

import os
import sys
import threading
import time
import webbrowser
from contextlib import ExitStack
from pathlib import Path

import click

from oblist.indexer.extras import require
from oblist.indexer.format import CATALOG_VARIABLE, index_to_write

from ..errors import ServingError
from ..index.shown import for_terminal
from ..terminal.opening import catalog_given, opened, release_given, roots_given
from ..terminal.options import catalog_file_option, release_option, roots_option
from ..terminal.serving import CannotServeError

_HIGHEST_PORT = 65535
_LOOK_SECONDS = 0.1
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.option("--index", "path", metavar="FILE", help="The index to show (default: see `oblist info`).")
@roots_option
@release_option
@catalog_file_option
@click.option(
    "--port",
    type=click.IntRange(0, _HIGHEST_PORT),
    default=0,
    show_default=True,
    help="The port to listen on; 0 for any free port.",
)
@click.option("--no-open", is_flag=True, help="Do not open a web browser.")
@click.option(
    "--watch",
    is_flag=True,
    help="Keep the index of --project (default: this folder) up to date while its sources change; "
    "this runs the project's code.",
)
@click.option(
    "--project",
    "projects",
    type=_FOLDER,
    multiple=True,
    metavar="DIR",
    help="With --watch: the project to follow; may be repeated.",
)
def browse(path: str | None, port: int, no_open: bool, watch: bool, projects: tuple[Path, ...]) -> None:
    """Show the index as pages in a web browser, until interrupted.

    There is a page for each package, symbol, class, system and source file, and a box for SQL. The server
    listens on this machine only and never writes to the index; a rebuilt index is shown at once. Install the
    server with: pip install 'oblist[browse]'
    """
    require("browsing", "browse", "datasette")
    if projects and not watch:
        raise click.UsageError("--project needs --watch, because it names the project to watch.")
    if watch and release_given() is not None:
        raise click.UsageError(
            f"Give --watch or --release, not both: the sources of {release_given()} are not watched."
        )
    if (catalog := catalog_given()) is not None:
        os.environ[CATALOG_VARIABLE] = catalog  # for the pages, which Datasette calls
    with ExitStack() as stack:
        if watch:
            path = str(_watched(stack, path, projects or (Path(),)))
        _serve(path, port, no_open)


def _watched(stack: ExitStack, path: str | None, projects: tuple[Path, ...]) -> Path:
    """The index that a child process keeps up to date until ``stack`` closes; returns once it exists."""
    from ..processes.watch import WatchProcess

    index = index_to_write(path, projects[0])
    watcher = stack.enter_context(WatchProcess(projects, index))
    if not index.exists():
        click.echo(f"oblist: loading the project to build {for_terminal(str(index))}", err=True)
    while not index.exists():
        if (reason := watcher.why_ended()) is not None:
            raise CannotServeError(reason)
        time.sleep(_LOOK_SECONDS)
    return index


def _serve(path: str | None, port: int, no_open: bool) -> None:
    """Serve the index until a signal stops the server."""
    with opened(path) as index:  # a problem with the index is better reported now than on a page
        shown = index.path.absolute()
    from ..processes.listening import LOOPBACK, listening_socket
    from .serving import serve

    try:
        listener = listening_socket(f"{LOOPBACK[0]}:{port}")
    except ServingError as error:
        raise CannotServeError(str(error)) from error
    host, taken, *_ = listener.getsockname()
    url = f"http://{host}:{taken}/"

    def ready() -> None:
        click.echo(f"Browse the index at {url}\nPress Ctrl-C to stop.")
        if not no_open and _has_screen():
            # Some browsers block until they are closed.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    serve(shown, listener, ready, roots_given())


def _has_screen() -> bool:
    """Whether a browser would open a window: a text-mode browser would take over the terminal."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
