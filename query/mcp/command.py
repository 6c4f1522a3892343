"""The command ``mcp``."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oblist.indexer.format import INDEX_VARIABLE, index_to_read, index_to_write
from oblist.indexer.target import TargetError

from ..errors import ServingError
from ..index.shown import for_terminal
from ..processes.background_lines import LinesHandler, stderr_lines
from ..processes.collection import lasting
from ..terminal.options import tool_names_option
from ..terminal.serving import CannotServeError
from ..tools.registry import registry
from ..tools.running.server import executor_for, executors_like
from ..tools.vocabulary import CAUTIOUS, DANGEROUS, SAFE

if TYPE_CHECKING:
    from ..tools.running.executors import Executors
    from ..tools.running.index_builds import IndexBuilds

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("systems", nargs=-1, metavar="[SYSTEM]...")
@click.option("--index", "path", metavar="FILE", help="The index to query (default: see `oblist info`).")
@click.option(
    "--build",
    is_flag=True,
    help="If there is no index, build one first, with --project and the SYSTEMs; this runs their code.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Keep the index of --project (default: this folder) up to date while its sources change; "
    "this runs their code.",
)
@click.option(
    "--project",
    "projects",
    type=_FOLDER,
    multiple=True,
    metavar="DIR",
    help="Let clients read the files of DIR (read_file). With --build: load its systems. With --watch: "
    "follow it. May be repeated.",
)
@click.option("--tests", is_flag=True, help="With --project or --watch: load the test systems, too.")
@click.option(
    "--allow",
    type=click.Choice([CAUTIOUS, DANGEROUS]),
    help="Also offer tools that change something: cautious ones (eval_form, reindex), or dangerous ones "
    "as well (load_system, and tools that write sources). A person must approve each call of a dangerous "
    "tool.",
)
@tool_names_option
@click.option(
    "--http",
    metavar="[HOST:]PORT",
    help="Serve clients on this machine over streamable HTTP instead of stdio.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --http: serve only clients that send the token in FILE (mode 0600).",
)
@click.option(
    "--log",
    type=_NEW_FILE,
    metavar="FILE",
    help="Write a JSON line to FILE for each call of a tool that changes something (default: stderr).",
)
@click.option(
    "--structured",
    is_flag=True,
    help="Send each answer as an object in addition to the text, and list the schemas of these objects.",
)
@click.option("--no-live", is_flag=True, help="Do not start an SBCL to read the values of variables.")
def mcp(
    systems: tuple[str, ...],
    path: str | None,
    build: bool,
    watch: bool,
    projects: tuple[Path, ...],
    tests: bool,
    allow: str | None,
    names: str,
    http: str | None,
    token_file: Path | None,
    log: Path | None,
    structured: bool,
    no_live: bool,
) -> None:
    """Serve the index to coding agents over the Model Context Protocol, on stdio.

    Set it up in your client as the command `oblist mcp`; docs/mcp.md shows how for each client. By
    default, its tools only read the index. The index is --index, else $OBLIST_INDEX, else that of the
    folder open in the client, else the one that `oblist info` finds.
    """
    _check_options(systems, build, watch, projects, allow, http, token_file)
    if None in (sys.stdin, sys.stdout, sys.stderr):  # files opened later would get their descriptors
        raise CannotServeError("Standard input, output and error must be open; one of them is closed.")
    handler = LinesHandler(stderr_lines)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, format="oblist: %(message)s")
    with lasting():
        len(registry)  # loads the tools of other packages before anything is served
    for problem in registry.problems:
        click.echo(f"oblist: {for_terminal(problem)}", err=True)
    if watch:
        projects = projects or (Path(),)
    index = _index_path(path, build or watch, projects)
    building = build and index is not None and not index.exists()
    if build and not building and systems:
        click.echo(f"oblist: {index} already exists; to rebuild it, run oblist index", err=True)
    try:
        executor = executor_for(
            registry,
            index,
            allowed=allow or SAFE,
            log=log,
            live=not no_live,
            structured=structured,
            projects=projects,
        )
    except TargetError as error:
        raise CannotServeError(str(error)) from error
    except OSError as error:
        raise CannotServeError(f"The log {log} cannot be written: {error.strerror}.") from error
    if building:
        assert index is not None
        options = [f"--output={index.absolute()}", *(f"--project={project}" for project in projects)]
        options += ["--tests"] if tests else []
        executor.surroundings.builds.begin_build([*options, "--", *systems])
    executors = executors_like(executor)
    # Somebody who names an index means it, whatever folders a client has open.
    follow_roots = index is None and not os.environ.get(INDEX_VARIABLE)
    try:
        with ExitStack() as stack:
            if watch:
                assert index is not None
                _watch(stack, executor.surroundings.builds, projects, index, tests)
            _serve(executors, follow_roots, names == "kebab", http, token_file)
    except ServingError as error:
        raise CannotServeError(str(error)) from error
    finally:
        executors.close()
        stderr_lines.flush()


def _check_options(
    systems: tuple[str, ...],
    build: bool,
    watch: bool,
    projects: tuple[Path, ...],
    allow: str | None,
    http: str | None,
    token_file: Path | None,
) -> None:
    if systems and not build:
        raise click.UsageError(
            f"Without --build, no systems are indexed: add --build, or leave out {' '.join(systems)}."
        )
    if build and watch:
        raise click.UsageError(
            "Both --build and --watch were given. --watch also builds the index: leave out --build."
        )
    if token_file is not None and http is None:
        raise click.UsageError("--token-file needs --http: a server on standard input uses no token.")
    if allow and http is not None and token_file is None:
        raise click.UsageError(
            "--allow over HTTP needs --token-file; without it, any local program could call those tools."
        )


def _watch(
    stack: ExitStack, builds: IndexBuilds, projects: tuple[Path, ...], index: Path, tests: bool
) -> None:
    """Run a child that keeps ``index`` up to date with ``projects`` until ``stack`` ends."""
    from ..processes.watch import WatchProcess

    watcher = stack.enter_context(WatchProcess(projects, index, tests=tests))
    if not index.exists():
        builds.begin_waiting(watcher.why_ended)


def _index_path(path: str | None, build: bool, projects: tuple[Path, ...]) -> Path | None:
    """The index to serve, which for a build is the index that it writes; None for the default index."""
    if path is not None:
        return Path(path)
    if not build:
        return None
    found = index_to_read()
    if not projects:
        return found if found.exists() else index_to_write()
    return index_to_write(None, projects[0])


def _serve(
    executors: Executors, follow_roots: bool, kebab_names: bool, http: str | None, token_file: Path | None
) -> None:
    with lasting():  # collecting takes a tenth of the starting time
        import anyio

        from .server import make_server
        from .stdio import serve_stdio

        server = make_server(
            executors, follow_roots=follow_roots, kebab_names=kebab_names, version=version("oblist")
        )
    if http is None:
        run = partial(serve_stdio, server)
    else:
        from ..processes.listening import listening_socket
        from .http import address_of, read_token, serve_http

        token = read_token(token_file) if token_file is not None else None
        listener = listening_socket(http)
        words = f"oblist: serving MCP at {address_of(listener)}"
        run = partial(serve_http, server, listener, token, partial(click.echo, words, err=True))
    anyio.run(run)
