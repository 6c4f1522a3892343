"""The stages of a build, as people and programs see them while it runs."""

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
    """A function that shows the stage of a build: JSON lines, a spinner on a terminal, else nothing."""
    if as_json:
        yield _print_stage
        return
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update
