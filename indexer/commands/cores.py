"""The command ``cores``: the images that builds have saved, from which values are read."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import click

from oblist.lisp.build_records import MOST_BYTES, BuildRecords, SavedCore

from ..format import user_cache_folder
from .ending import FailureError

_MEGABYTE = 1_000_000
_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))


@click.command()
@click.option("--prune", is_flag=True, help="Remove the images that nothing can use, and any beyond --most.")
@click.option(
    "--most",
    type=click.IntRange(min=0),
    metavar="MB",
    default=MOST_BYTES // _MEGABYTE,
    show_default=True,
    help="With --prune: keep at most this many megabytes, the most recently used images first.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def cores(prune: bool, most: int, as_json: bool) -> None:
    """List the images that builds have saved in your cache, the most recently used first.

    An image is a core of SBCL with everything that an index was built from. Values of variables are read
    from it; everything else is answered without it. Each index has at most one. It is kept while its index
    exists, and while all images together take at most 4 GB; those unused for longest are removed first.
    """
    try:
        records = BuildRecords(user_cache_folder())
    except RuntimeError as error:
        raise FailureError("You have no home folder, so no cache. Set XDG_CACHE_HOME.") from error
    try:
        removed = records.prune(most * _MEGABYTE) if prune else []
    except OSError as error:
        raise FailureError(f"{error.filename}: {error.strerror}.") from error
    kept = records.saved()
    if as_json:
        import orjson

        found = {"cores": [*map(_facts, kept)], "removed": [*map(_facts, removed)]}
        click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))
        return
    for one in kept:
        click.echo(_line(one))
    for one in removed:
        click.echo(f"removed  {_line(one)}")
    total = sum(one.size for one in kept) / _MEGABYTE
    click.echo(f"{len(kept)} saved {'image' if len(kept) == 1 else 'images'}, {total:,.1f} MB")


def _line(one: SavedCore) -> str:
    useless = f"  ({one.why_useless})" if one.why_useless else ""
    return f"{one.size / _MEGABYTE:8.1f} MB  used {_ago(one.used):<15}  {one.record.index}{useless}"


def _ago(moment: float) -> str:
    """How long ago ``moment`` was, in the largest unit that fits."""
    seconds = max(0.0, time.time() - moment)
    for length, unit in _UNITS:
        if seconds >= length:
            number = int(seconds // length)
            return f"{number} {unit}{'' if number == 1 else 's'} ago"
    return "just now"


def _facts(one: SavedCore) -> dict[str, object]:
    return {
        "index": one.record.index,
        "path": str(one.path),
        "size": one.size,
        "used": datetime.fromtimestamp(one.used, UTC).isoformat(timespec="seconds"),
        "sbcl": one.record.sbcl_version,
        "useless": one.why_useless,
    }
