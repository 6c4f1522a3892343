"""The command ``catalog``: a group of its own."""

from __future__ import annotations

import click

from ..terminal.lazy_group import LazyGroup

# Each command, with its module and a line of help.
CATALOG_COMMANDS = {
    "build": (
        "..indexer.commands.catalog:build",
        "Index each release separately, and write one catalog of all of them.",
    ),
    "search": (
        ".catalog.search.parameters:CatalogSearchParameters",
        "Find exported symbols of all releases by words, or functions by signature.",
    ),
    "releases": (
        ".catalog.releases.parameters:ReleasesParameters",
        "List the releases in the catalog.",
    ),
    "show": (
        ".catalog.show.parameters:ShowParameters",
        "Show a release: versions, dependencies both ways, problems.",
    ),
}


@click.group(cls=LazyGroup, table=CATALOG_COMMANDS)
def catalog() -> None:
    """Ask about libraries that are not loaded.

    A catalog is one file that covers many releases, each indexed separately. `oblist catalog build`
    makes it.
    """
