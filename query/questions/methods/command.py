"""The command ``methods``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...index.not_found import NotFound
from ...terminal.opening import opened
from ...terminal.options import answer_options, offset_option, package_option, seen_from_option
from ...terminal.printing import finish, say_note
from .answer import MethodsAnswer
from .text import methods_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View

_DEFAULT_LIMIT = 50


@click.command()
@click.argument("name")
@click.argument("further", nargs=-1, metavar="...")
@click.option(
    "--on",
    multiple=True,
    required=True,
    metavar="CLASS...",
    help="The classes of the arguments: --on circle t. _ is any, and so are those that are left out.",
)
@package_option
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=_DEFAULT_LIMIT,
    show_default=True,
    help="Show at most N; 0 for all.",
)
@offset_option
@seen_from_option
@answer_options
def methods(
    name: str,
    further: tuple[str, ...],
    on: tuple[str, ...],
    package: str,
    limit: int,
    offset: int,
    path: str | None,
    as_json: bool,
) -> None:
    """List the methods that a call of the generic function NAME reaches with arguments of these classes.

    The order is that of the standard: around, before, primary and after methods, the most specific first.
    A method with an EQL specializer is marked: it also depends on the argument itself. It is listed if its
    object is of the class: one on (eql 5) with --on integer, fixnum or t.
    """
    if further and len(on) > 1:
        raise click.UsageError(
            f"Give all classes after one --on, or an --on for each: {', '.join(further)} has none."
        )
    with opened(path) as index:
        answer = index.methods(name, [*on, *further], package, limit=limit, offset=offset)
        upcase = index.upcase

    def people(view: View) -> list[Line]:
        from .people import methods_people

        assert isinstance(answer, MethodsAnswer)
        return [*methods_people(answer, view)]

    finish(answer, as_json, lambda: methods_text(answer), people, asked=name, upcase=upcase)  # type: ignore[arg-type]
    if not isinstance(answer, NotFound) and answer.note:
        say_note(answer.note)
