"""The command ``watch``."""

from __future__ import annotations

import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from math import isinf
from pathlib import Path

import click

from oblist.lisp.images import Setup
from oblist.lisp.sbcl import find_sbcl

from ..errors import WatchedError
from ..format import index_to_write
from ..inputs import require_names
from ..refresh.present import failure_cause, failures_text
from ..same_failures import same_failures
from ..watch.follower import Follower, RefreshStep
from .ending import failures, print_output, tidy_end
from .options import FOLDER, kept_options, load_timeout_option, overwrite_option, set_up_options, tests_option
from .progress import progress_shown

StillUsed = Callable[[Path, Sequence[Path]], list[str]]
"""Called with an index and the folders of a project: what these use and do not define any more, in lines."""
_LOOK_SECONDS = 1.0
EXIT_NOT_LOADED = 1
_OMITTED = "the rest is indexed"
_KEPT = "its last good state stays in the index; the rest is indexed"


@click.command()
@click.argument("folders", type=FOLDER, nargs=-1, metavar="[DIR]...")
@click.option(
    "--system", "systems", multiple=True, metavar="SYSTEM", help="Also load SYSTEM; may be repeated."
)
@tests_option
@set_up_options
@click.option(
    "--output",
    metavar="FILE",
    help="The index to write (default: $OBLIST_INDEX, else DIR/.oblist/oblist.db).",
)
@overwrite_option
@load_timeout_option
@click.option("--once", is_flag=True, help="Bring the index up to date once, then exit.")
@click.option(
    "--wait",
    is_flag=True,
    help="If another process already keeps this index up to date, wait until it ends, then take over.",
)
@click.option(
    "--wait-timeout",
    type=click.FloatRange(min=0),
    default=600.0,
    show_default=True,
    help="Maximum time to wait, in seconds.",
)
@click.option("--force", is_flag=True, help="Start with a refresh even if nothing has changed.")
@kept_options
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.pass_obj
def watch(
    still_used: StillUsed | None,
    folders: tuple[Path, ...],
    systems: tuple[str, ...],
    tests: bool,
    files: tuple[Path, ...],
    init: Path | None,
    no_userinit: bool,
    sbcl: str | None,
    output: str | None,
    overwrite: bool,
    load_timeout: float,
    once: bool,
    wait: bool,
    wait_timeout: float,
    force: bool,
    no_sources: bool,
    no_snapshot: bool,
    quiet: bool,
) -> None:
    """Keep the index of the project in DIR up to date: answers reflect each saved change.

    The systems that the .asd files of DIR (default: this folder) define are reloaded after each change,
    on top of their dependencies. Definitions that were removed from the project disappear from the index.
    When a system no longer loads, the reason is printed, the index keeps its last good state, and the
    other systems are still kept up to date. With --once, exit code 1 means that something does not load.
    """
    setup = Setup(folders or (Path(),), files, init, not no_userinit, load_timeout, tests)
    stop = threading.Event()
    with failures(), tidy_end(), ExitStack() as stack:
        require_names(setup.projects)
        follower = Follower(
            index_to_write(output, setup.folder),
            find_sbcl(sbcl),
            systems,
            setup,
            command=shlex.join(["oblist", "watch", *map(str, setup.projects)]),
            store_sources=not no_sources,
            overwrite=overwrite,
            waiting=lambda text: click.echo(f"oblist: {text}", err=True),
        )
        stack.callback(follower.close)

        told: set[str] = set()

        def report(step: RefreshStep) -> None:
            _report(step, told, quiet, follower.index.is_usable)
            if still_used is not None and (step.broken or step.not_loaded) and follower.index.is_usable:
                _tell_still_used(still_used(follower.index.path, setup.projects), told)

        _hold(stack, follower, wait_timeout if wait else 0.0, quiet)
        with progress_shown(quiet) as progress:
            step = (None if force else follower.adopt()) or follower.refresh(progress)
            if not no_snapshot and step.broken is None and follower.values_are_old:
                follower.begin_saving_values()
                if once:
                    progress("saving the image for values")
                    follower.adopt_saved_values(wait=True)
        report(step)
        if once:
            sys.exit(EXIT_NOT_LOADED if step.broken or step.not_loaded else 0)
        from ..watch.file_changes import folders_text, follow

        _end_by_signals(stop)
        if step.broken is None:
            follower.begin_part()

        def watching(folders: list[Path]) -> None:
            if not quiet:
                click.echo(f"watching {folders_text(folders)}; press Ctrl-C to stop", err=True)

        with suppress(KeyboardInterrupt):
            follow(follower, stop, report, watching=watching, values=not no_snapshot)


def _tell_still_used(lines: list[str], told: set[str]) -> None:
    """Print which names the project uses that it does not define any more, unless that was ``told``."""
    for text in lines:
        if text not in told:
            click.echo(f"oblist: {text}", err=True)
    told |= set(lines)


def _hold(stack: ExitStack, follower: Follower, seconds: float, quiet: bool) -> None:
    """Hold the lock for following with this index until ``stack`` ends; wait for it at most ``seconds``."""
    reported, deadline = quiet, time.monotonic() + seconds
    while True:
        try:
            stack.enter_context(follower.index.held())
            return
        except WatchedError as error:
            if time.monotonic() >= deadline:
                raise
            if not reported:
                limit = "" if isinf(seconds) else f", for {seconds:g} s at most"
                click.echo(f"oblist: {error} Waiting for it to end{limit}.", err=True)
            reported = True
            time.sleep(_LOOK_SECONDS)


def _end_by_signals(stop: threading.Event) -> None:
    """Make SIGINT or SIGTERM stop watching; a refresh that is going on is given up.

    That ends its SBCL, and leaves the last good index, which a refresh replaces only by renaming.
    """

    def end(number: int, _frame: object) -> None:
        if stop.is_set():
            return  # it is ending: what it leaves behind is being removed
        stop.set()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)


def _report(step: RefreshStep, told: set[str], quiet: bool, index_is_there: bool) -> None:
    """Print the result of a refresh; what still does not load is not printed again (``told``)."""
    failures_now = {
        f"{failures_text(same)} ({_KEPT if kept else _OMITTED})"
        for kept in (True, False)
        for same in same_failures(
            (one for one in step.not_loaded if (one.subject in step.kept) is kept), failure_cause
        )
    }
    for text in sorted(failures_now - told):
        click.echo(f"oblist: {text}", err=True)
    if step.broken is None:
        told.clear()
        told |= failures_now
    if step.broken is not None:
        print_output(step.broken)
        rest = "answers come from the last good index" if index_is_there else "there is no index yet"
        click.echo(f"oblist: {step.broken} ({rest})", err=True)
    elif not quiet:
        found = "nothing has changed" if step.changes is None else step.changes
        click.echo(f"{found} ({step.seconds:.2f} s)")
        sys.stdout.flush()
