"""Show the stages of a build while it runs, to people and to programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click


def _print_stage(stage: str) -> None:
    click.echo(json.dumps({"stage": stage}), err=True)


@contextmanager
def progress_shown(quiet: bool, as_json: bool = False) -> Iterator[Any]:
    """Yield a function that shows a stage: as a JSON line, or on a terminal with the time since the start.

    With neither, or when ``quiet``, it shows nothing.
    """
    if as_json:
        yield _print_stage
        return
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    text = TextColumn(
        "{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")
    )
    columns = (SpinnerColumn(), TimeElapsedColumn(), text)
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("starting", total=None)
        yield lambda stage: shown.update(task, description=stage)
