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
    """Yield a function that shows a stage: as a JSON line, by a spinner on a terminal, or not at all."""
    if as_json:
        yield _print_stage
        return
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update
