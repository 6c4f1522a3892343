"""The command ``class``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal.opening import opened
from ...terminal.options import answer_options, offset_option, package_option, seen_from_option
from ...terminal.printing import finish
from .answer import ClassAnswer
from .text import class_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View

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
@click.option(
    "--inherited",
    is_flag=True,
    help="On a terminal, also list the methods on classes of SBCL and other libraries, as a pipe does.",
)
@seen_from_option
@answer_options
def describe_class(
    name: str, package: str, limit: int, offset: int, inherited: bool, path: str | None, as_json: bool
) -> None:
    """Describe the class NAME: its superclasses, slots, subclasses, and the methods on it.

    Structures and conditions are classes too. A structure has its constructors, a condition what signals and
    handles it. Functions to implement are those that a documented protocol, or a method that only signals,
    leaves to subclasses.
    """
    with opened(path) as index:
        answer = index.class_(name, package, limit=limit, offset=offset)
        upcase = index.upcase

    def people(view: View) -> list[Line]:
        from .people import class_people

        assert isinstance(answer, ClassAnswer)
        return [*class_people(answer, view, inherited=inherited)]

    finish(answer, as_json, lambda: class_text(answer), people, asked=name, upcase=upcase)  # type: ignore[arg-type]
