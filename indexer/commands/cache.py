"""The command ``cache``: what oblist keeps in the user's cache, and how to remove it."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import click

from ..layers.cache import CacheEntry, entries, most_bytes
from ..layers.cache import prune as prune_cache
from .ending import FailureError

_MEGABYTE = 1_000_000
_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))


@click.command()
@click.option(
    "--prune",
    is_flag=True,
    help="Remove images and layers that are no longer useful, and those beyond --most.",
)
@click.option(
    "--most",
    type=click.IntRange(min=0),
    metavar="MB",
    help="With --prune: keep at most MB megabytes of images and layers, the most recently used first.  "
    "[default: $OBLIST_CACHE_SIZE, in bytes, else 4000]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def cache(prune: bool, most: int | None, as_json: bool) -> None:
    """List the images and layers in your cache, the most recently used first.

    An image is a core of SBCL with everything that an index was built from. Values of variables are
    read from it; everything else is answered without it. Each index has at most one, which is kept
    while the index exists. A layer is an image from which other indexes are built, with its own index:
    SBCL, the libraries of a project, or a part of a project. While a catalog is built, there are also
    layers without an index: the dependencies of releases. A line without a size stands for an image
    that a layer also uses, or says why a layer could not be made.

    Images and layers take at most 4 GB together. The least recently used are removed first, but never
    a layer that was used in the last ten minutes, or from which an index is being built.
    """
    try:
        removed = prune_cache(most_bytes() if most is None else most * _MEGABYTE) if prune else []
        left = entries()
    except RuntimeError as error:
        raise FailureError("You have no home folder, so there is no cache. Set XDG_CACHE_HOME.") from error
    except OSError as error:
        raise FailureError(f"{error.filename}: {error.strerror}.") from error
    if as_json:
        import orjson

        found = {"kept": [*map(_facts, left)], "removed": [*map(_facts, removed)]}
        click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))
        return
    for one in left:
        click.echo(_line(one))
    for one in removed:
        click.echo(f"removed  {_line(one)}")
    click.echo(f"{_counted(left, 'image')} and {_counted(left, 'layer')}, {_megabytes(left):,.1f} MB")


def _counted(listed: list[CacheEntry], kind: str) -> str:
    number = sum(one.kind == kind for one in listed)
    return f"{number} {kind}{'' if number == 1 else 's'}"


def _megabytes(listed: list[CacheEntry]) -> float:
    return sum(one.size for one in listed) / _MEGABYTE


def _line(one: CacheEntry) -> str:
    useless = f"  ({' '.join(one.useless.split())})" if one.useless else ""
    size = f"{one.size / _MEGABYTE:8.1f} MB" if one.size >= _MEGABYTE / 10 else " " * 11
    return f"{size}  used {_ago(one.used):<15}  {one.kind} with SBCL {one.sbcl}: {one.what}{useless}"


def _ago(moment: float) -> str:
    """How long ago ``moment`` was, in the largest unit that fits."""
    seconds = max(0.0, time.time() - moment)
    for length, unit in _UNITS:
        if seconds >= length:
            number = int(seconds // length)
            return f"{number} {unit}{'' if number == 1 else 's'} ago"
    return "just now"


def _facts(one: CacheEntry) -> dict[str, object]:
    return {
        "kind": one.kind,
        "what": one.what,
        "path": str(one.path),
        "size": one.size,
        "used": datetime.fromtimestamp(one.used, UTC).isoformat(timespec="seconds"),
        "sbcl": one.sbcl,
        "useless": one.useless,
    }
