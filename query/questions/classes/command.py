"""The command ``class``."""

from __future__ import annotations

import click

from ...terminal.opening import opened
from ...terminal.options import answer_options, offset_option, package_option, seen_from_option
from ...terminal.printing import finish
from .text import class_text

_DEFAULT_LIMIT = 50


@click.command("class")
@click.argument("name")
@package_option
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=_DEFAULT_LIMIT,
    show_default=True,
    help="Show at most N of each list, such as methods; 0 for all.",
)
@offset_option
@seen_from_option
@answer_options
def describe_class(name: str, package: str, limit: int, offset: int, path: str | None, as_json: bool) -> None:
    """Describe the class NAME: its superclasses, slots, subclasses, and the methods on it.

    Structures and conditions are classes too. A structure has its constructors, a condition what signals and
    handles it. Functions to implement are those that a documented protocol, or a method that only signals,
    leaves to subclasses.
    """
    with opened(path) as index:
        answer = index.class_(name, package, limit=limit, offset=offset)
    finish(answer, as_json, lambda: class_text(answer), asked=name)  # type: ignore[arg-type]
