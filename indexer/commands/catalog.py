"""The command ``catalog build``."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from oblist.lisp.sbcl import find_sbcl

from ..catalog.build import CatalogRequest, Engine, Watcher, build_catalog, rehearse_catalog
from ..catalog.estimate import Estimate, estimate_text
from ..catalog.making.orders import ReleaseLimits
from ..catalog.releases import Release
from ..catalog.report import BuildReport, build_report, counted_releases, report_text
from ..catalog.store.results import Store
from ..format import STORE_VARIABLE, catalog_file, user_data_folder
from .ending import EXIT_FAILED, failures, tidy_end
from .options import FOLDER

_MOST_FAILURES = 20
_STATES = (("loaded", "loaded"), ("partly", "in part"), ("failed", "failed"))


@click.command("build")
@click.option(
    "--below",
    type=FOLDER,
    multiple=True,
    metavar="DIR",
    help="Catalog every system that is defined in DIR or below; may be repeated.",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="Catalog the system NAME, which ASDF must be able to find, and its dependencies; may be repeated.",
)
@click.option("--all", "everything", is_flag=True, help="Catalog every system that ASDF finds.")
@click.option("--tests", is_flag=True, help="Catalog test systems, too.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Index N releases at a time."
)
@click.option(
    "--scheduler",
    metavar="URL",
    help="Build the indexes on the workers of this Dask scheduler, such as tcp://HOST:8786.",
)
@click.option("--send-sources", is_flag=True, help="Send the sources to the workers, through the store.")
@click.option(
    "--worker-timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=300.0,
    show_default=True,
    help="Seconds to wait while the scheduler has no worker that may take part.",
)
@click.option("--dry-run", is_flag=True, help="Only print what there is to do, and how long it will take.")
@click.option(
    "--load-timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=300.0,
    show_default=True,
    help="Seconds allowed for loading one system.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=256),
    default=4096,
    show_default=True,
    metavar="MB",
    help="The size of SBCL's heap.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 if any release does not load.")
@click.option("--add", is_flag=True, help="Keep the releases that are already in the catalog.")
@click.option(
    "--sbcl",
    metavar="PATH",
    help="The SBCL that loads the releases (default: $SBCL, else sbcl on the PATH).",
)
@click.option(
    "--store",
    metavar="DIR|URL",
    help="Keep the indexes in this folder, or in a place that fsspec supports, such as s3://BUCKET "
    "(default: $OBLIST_STORE, else one in your data folder).",
)
@click.option(
    "--catalog",
    "output",
    metavar="FILE",
    help="The catalog to write (default: $OBLIST_CATALOG, else the one in your data folder).",
)
@click.option("--overwrite", is_flag=True, help="Replace the file at --catalog even if it is not a catalog.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def build(
    below: tuple[Path, ...],
    systems: tuple[str, ...],
    everything: bool,
    tests: bool,
    jobs: int,
    scheduler: str | None,
    send_sources: bool,
    worker_timeout: float,
    dry_run: bool,
    load_timeout: float,
    memory: int,
    strict: bool,
    add: bool,
    sbcl: str | None,
    store: str | None,
    output: str | None,
    overwrite: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Index each release separately, and write one catalog of all of them.

    A release consists of the systems that one .asd file defines. Each release is loaded into an SBCL of
    its own, after its dependencies: this runs the code of all of them. A release that fails to load,
    hangs or asks questions is reported, and the others are indexed. Their indexes stay in the store, so
    an interrupted build continues where it stopped, and a later one indexes only what has changed. With
    --jobs or --scheduler, Dask does this on several workers; it needs: pip install 'oblist[cluster]'.
    Exit code 1: there is no catalog, or a release that you named, with --system or by its own folder,
    did not load completely (see --strict).
    """
    if not (below or systems or everything):
        raise click.UsageError("Say what to catalog: --below DIR, --system NAME or --all.")
    if scheduler and jobs > 1:
        raise click.UsageError(
            f"Give --jobs or --scheduler, not both (--jobs {jobs} and --scheduler {scheduler}): "
            "a scheduler has its own workers."
        )
    if send_sources and not scheduler:
        raise click.UsageError(
            "--send-sources needs --scheduler: workers on this machine read the sources directly."
        )
    request = CatalogRequest(below, systems, everything, tests, ReleaseLimits(load_timeout, memory))
    where = Store.at(store or os.environ.get(STORE_VARIABLE) or user_data_folder() / "store")
    began = time.monotonic()
    with failures(), tidy_end(), _shown(quiet or as_json or dry_run) as shown:
        engine = Engine(jobs, scheduler, send_sources, worker_timeout, shown.note)
        if dry_run:
            _print_estimate(rehearse_catalog(where, find_sbcl(sbcl), request, engine=engine), as_json)
            return
        works = build_catalog(
            catalog_file(output),
            where,
            find_sbcl(sbcl),
            request,
            command=shlex.join(["oblist", "catalog", "build", *_arguments(request)]),
            engine=engine,
            add=add,
            overwrite=overwrite,
            watcher=shown.watcher,
        )
    report = build_report(catalog_file(output), time.monotonic() - began, works)
    _print_report(report, quiet, as_json)
    broken = [one.release for one in works if one.outcome and one.outcome.report.state != "loaded"]
    if any(strict or is_named(one, request) for one in broken):
        sys.exit(EXIT_FAILED)


def is_named(release: Release, request: CatalogRequest) -> bool:
    """Whether the user named this release: by one of its systems, or by its folder."""
    folders = {folder.resolve() for folder in request.below}
    names = {name.partition("/")[0].lower() for name in request.systems}
    return release.folder in folders or release.name in names


def _arguments(request: CatalogRequest) -> Iterator[str]:
    for folder in request.below:
        yield from ("--below", str(folder))
    for name in request.systems:
        yield from ("--system", name)
    if request.everything:
        yield "--all"
    if request.tests:
        yield "--tests"


class _Shown(NamedTuple):
    """How far a build is, as it is shown; ``note`` prints a line for itself."""

    watcher: Watcher
    note: Callable[[str], None]


def _note(text: str) -> None:
    click.echo(f"note: {text}", err=True)


@contextmanager
def _shown(quiet: bool) -> Iterator[_Shown]:
    """Show a bar on a terminal: releases done and failed, and the time left."""
    if quiet or not sys.stderr.isatty():
        yield _Shown(Watcher(), _note)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]} failed"),
        TimeElapsedColumn(),
        TextColumn("elapsed,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("starting", total=None, failed=0)
        watcher = Watcher(
            began=lambda total: bar.update(task, total=total),
            done=lambda now: bar.update(
                task,
                completed=now.done,
                total=now.total,
                failed=now.failed,
                description=now.last.release.name,
            ),
            stage=lambda text: bar.update(task, description=text),
        )
        yield _Shown(watcher, lambda text: bar.console.print(f"note: {text}", highlight=False))


def _print_json(value: object) -> None:
    import orjson

    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2))


def _print_estimate(found: Estimate, as_json: bool) -> None:
    if as_json:
        _print_json(found)
    else:
        click.echo(estimate_text(found))


def _print_report(report: BuildReport, quiet: bool, as_json: bool) -> None:
    if as_json:
        _print_json(report)
        return
    broken = [one for one in report.releases if one.state != "loaded"]
    for one in broken[:_MOST_FAILURES]:
        for subject, reason in one.problems.items():
            whose = "" if subject == one.name else f"{one.name}: "
            click.echo(f"oblist: {whose}{subject} did not load: {reason}", err=True)
    if len(broken) > _MOST_FAILURES:
        more = len(broken) - _MOST_FAILURES
        click.echo(
            f"oblist: {more} more did not load; list them with: oblist catalog releases --state failed",
            err=True,
        )
    if not quiet:
        click.echo(report_text(report))
        states = ", ".join(f"{report.states.get(state, 0):,} {said}" for state, said in _STATES)
        size = Path(report.path).stat().st_size
        releases = counted_releases(len(report.releases))
        click.echo(f"{report.path}: {releases}, {states}; {size / 1e6:.1f} MB")
