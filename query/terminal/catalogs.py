"""The catalog that a command asks, and the slice of it that an option names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from ..catalog.api import Catalog, open_catalog
from ..errors import LateAnswerError, QueryError
from .display_options import adding, display_options
from .opening import NoAnswerError, NoIndexError, note_readings

catalog_option = click.option(
    "--catalog",
    "path",
    metavar="FILE",
    help="The catalog to query (default: $OBLIST_CATALOG, else the one in your data folder).",
)


catalog_options = adding(
    display_options(hidden=True),
    catalog_option,
    click.option("--json", "as_json", is_flag=True, help="Answer as JSON."),
)
"""Adds the options that all commands on a catalog share."""


@contextmanager
def opened_catalog(path: str | None) -> Iterator[Catalog]:
    """Open the catalog to ask; a missing or unusable one ends the command with code 3."""
    try:
        with open_catalog(path) as catalog:
            note_readings([catalog])
            yield catalog
    except LateAnswerError as error:
        raise NoAnswerError(error) from error
    except QueryError as error:
        raise NoIndexError(str(error)) from error
