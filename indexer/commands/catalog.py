"""The command ``catalog build``."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from oblist.lisp.sbcl import find_sbcl

from ..catalog.build import CatalogRequest, Progress, build_catalog
from ..catalog.schedule import Work
from ..catalog.store import Store
from ..catalog.tasks import Limits
from ..format import catalog_file, user_data_folder
from .ending import EXIT_FAILED, failures, tidy_end
from .options import FOLDER

_MOST_FAILURES = 20


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
    help="Catalog the system NAME, which ASDF finds, and what it depends on; may be repeated.",
)
@click.option("--all", "everything", is_flag=True, help="Catalog every system that ASDF finds.")
@click.option("--tests", is_flag=True, help="Catalog test systems, too.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Make N slices at a time."
)
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
@click.option("--add", is_flag=True, help="Keep the other releases that the catalog has.")
@click.option(
    "--sbcl", metavar="PATH", help="The SBCL to load them with (default: $SBCL, else sbcl on the PATH)."
)
@click.option("--store", type=click.Path(path_type=Path), metavar="DIR", help="Keep slices in DIR.")
@click.option(
    "--catalog",
    "output",
    metavar="FILE",
    help="The catalog to write (default: $OBLIST_CATALOG, else in your data folder).",
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
    load_timeout: float,
    memory: int,
    add: bool,
    sbcl: str | None,
    store: Path | None,
    output: str | None,
    overwrite: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Index each release by itself, and write one catalog over all of them.

    A release is what one .asd file defines. Each is loaded into an SBCL of its own, after what it depends
    on: this runs the code of all of them. What does not load, hangs or asks questions is reported, and the
    others are made. What is made stays in the store, so that an interrupted build goes on where it was, and a
    later one makes only what has changed.
    """
    if not (below or systems or everything):
        raise click.UsageError("Say what to catalog: --below DIR, --system NAME or --all.")
    request = CatalogRequest(below, systems, everything, tests, Limits(load_timeout, memory))
    folder = (store or user_data_folder() / "store").absolute()
    with failures(), tidy_end(), _shown(quiet or as_json) as shown:
        work = build_catalog(
            catalog_file(output),
            Store(folder),
            find_sbcl(sbcl),
            request,
            command=shlex.join(["oblist", "catalog", "build", *_arguments(request)]),
            jobs=jobs,
            add=add,
            overwrite=overwrite,
            began=shown.began,
            done=shown.done,
            stage=shown.stage,
        )
    _print_report(work, catalog_file(output), quiet, as_json)
    if any(one.report and one.report.state != "loaded" for one in work):
        sys.exit(EXIT_FAILED)


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
    """Functions that show how far a build is."""

    began: Callable[[int], None]
    done: Callable[[Progress], None]
    stage: Callable[[str], None]


@contextmanager
def _shown(quiet: bool) -> Iterator[_Shown]:
    """Show a bar on a terminal: releases done and failed, and the time left."""
    if quiet or not sys.stderr.isatty():
        yield _Shown(lambda _: None, lambda _: None, lambda _: None)
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
        yield _Shown(
            lambda total: bar.update(task, total=total),
            lambda now: bar.update(
                task,
                completed=now.done,
                total=now.total,
                failed=now.failed,
                description=now.last.release.name,
            ),
            lambda text: bar.update(task, description=text),
        )


def _print_report(work: Sequence[Work], output: Path, quiet: bool, as_json: bool) -> None:
    states = Counter(one.report.state for one in work if one.report)
    broken = [one for one in work if one.report and one.report.state != "loaded"]
    if as_json:
        import orjson

        releases = [
            {
                "name": one.release.name,
                "place": str(one.release.definition),
                "state": one.report.state,
                "seconds": one.report.seconds,
                "problems": one.report.failures,
            }
            for one in work
            if one.report
        ]
        value = {"path": str(output), "states": dict(states), "releases": releases}
        click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2))
        return
    for one in broken[:_MOST_FAILURES]:
        assert one.report is not None
        for subject, reason in one.report.failures.items():
            whose = "" if subject == one.release.name else f"{one.release.name}: "
            click.echo(f"oblist: {whose}{subject} did not load: {reason}", err=True)
    if len(broken) > _MOST_FAILURES:
        more = len(broken) - _MOST_FAILURES
        click.echo(f"oblist: {more} more did not load; see: oblist catalog releases --state failed", err=True)
    if not quiet:
        click.echo(
            f"{output}: {len(work):,} releases, {states['loaded']:,} loaded, {states['partly']:,} in part, "
            f"{states['failed']:,} failed; {output.stat().st_size / 1e6:.1f} MB"
        )
