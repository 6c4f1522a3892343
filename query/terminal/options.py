"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

import click

from ..errors import RootsError
from ..index.parameters import PEOPLES_LIMIT
from ..index.roots import parse_roots
from .display_options import adding, display_options
from .printing import CATALOG, on_terminal

tool_names_option = click.option(
    "--names",
    type=click.Choice(["snake", "kebab"]),
    default="snake",
    show_default=True,
    help="Write tool names as in describe_symbol (snake) or as in describe-symbol (kebab). "
    "A call may use either form.",
)
batch_option = click.option(
    "--batch",
    type=click.File("rb"),
    metavar="FILE",
    help="Read names from FILE, one per line (- for standard input), and print JSON lines.",
)


def refuse_unless_one(name: str | None, batch: IO[bytes] | None) -> None:
    """End the command as misused unless it has been given either a name or a file of names."""
    if name is None and batch is None:
        raise click.UsageError("Give a NAME, or --batch FILE with a name on each line.")
    if name is not None and batch is not None:
        file = getattr(batch, "name", "-")
        raise click.UsageError(f"Give NAME or --batch, not both: the name is {name}, and the file is {file}.")


ROOTS = "oblist roots"


def _take_roots(ctx: click.Context, _: click.Parameter, assignments: tuple[str, ...]) -> None:
    """Keep the --root options until the index is opened, so that no command has to pass them on."""
    try:
        ctx.meta[ROOTS] = parse_roots(assignments, "--root")
    except RootsError as error:
        raise click.UsageError(str(error)) from error


roots_option = click.option(
    "--root",
    multiple=True,
    metavar="NAME=PATH",
    expose_value=False,
    callback=_take_roots,
    help="The sources of root NAME are now in PATH; may be repeated (default: $OBLIST_ROOTS).",
)


RELEASE = "oblist release"
WITH_CATALOG = "oblist with catalog"
SEEN_FROM = "oblist seen from"


def _kept_as(key: str) -> Callable[[click.Context, click.Parameter, object], None]:
    """A callback that keeps an option until the index is opened, so that no command has to pass it on."""

    def keep(ctx: click.Context, _: click.Parameter, value: object) -> None:
        ctx.meta[key] = value

    return keep


release_option = click.option(
    "--release",
    metavar="NAME[@VERSION]",
    expose_value=False,
    callback=_kept_as(RELEASE),
    help="Query the index of this release in the catalog instead.",
)
seen_from_option = click.option(
    "--seen-from",
    metavar="PACKAGE",
    expose_value=False,
    callback=_kept_as(SEEN_FROM),
    help="Read and write names as code in PACKAGE would, and say which imports would shorten them.",
)
catalog_file_option = click.option(
    "--catalog",
    metavar="FILE",
    expose_value=False,
    callback=_kept_as(CATALOG),
    help="The catalog for --release and hints (default: $OBLIST_CATALOG, else the one in your data folder).",
)


with_catalog_option = click.option(
    "--with-catalog",
    is_flag=True,
    expose_value=False,
    callback=_kept_as(WITH_CATALOG),
    help="Also ask the catalog.",
)
_COMMON_OPTIONS = (
    display_options(hidden=True),
    release_option,
    catalog_file_option,
    roots_option,
    click.option("--json", "as_json", is_flag=True, help="Answer as JSON."),
)
answer_options = adding(
    click.option("--index", "path", metavar="FILE", help="The index to query (default: see `oblist info`)."),
    *_COMMON_OPTIONS,
)
"""Adds the options that all commands with an answer share."""
several_options = adding(
    click.option(
        "--index",
        "paths",
        multiple=True,
        metavar="FILE",
        help="The index to query (default: see `oblist info`); may be repeated to query several at once.",
    ),
    with_catalog_option,
    *_COMMON_OPTIONS,
)
"""Adds the options of a command that several indexes can answer."""


def _terminal_limit(_: click.Context, __: click.Parameter, limit: int | None) -> int:
    if limit is None:
        return PEOPLES_LIMIT if on_terminal() else 0
    return limit


terminal_limit_option = click.option(
    "--limit",
    type=click.IntRange(min=0),
    callback=_terminal_limit,
    help=f"Show at most N changes; 0 for all (default: {PEOPLES_LIMIT} on a terminal, else all).",
)
