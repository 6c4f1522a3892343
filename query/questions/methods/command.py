"""The command ``methods``."""

from __future__ import annotations

from dataclasses import replace

import click

from ...terminal.opening import opened
from ...terminal.printing import finish, lazily, say_notes
from ...terminal.question_command import ask, asks
from .parameters import MethodsParameters
from .text import methods_text


@asks(MethodsParameters)
@click.argument("further", nargs=-1, metavar="...")
def methods(asked: MethodsParameters, further: tuple[str, ...], path: str | None, as_json: bool) -> None:
    """List the methods of the generic function NAME that apply to arguments of given classes.

    The order is that of the standard: around, before, primary and after methods, the most specific
    first. A method with an EQL specializer is marked: it also depends on the argument itself. It is
    listed if its object belongs to the class: a method on (eql 5) is listed with --on integer, fixnum
    or t. Without --on, all methods are listed.
    """
    given = asked.on or ()
    if further and len(given) > 1:
        raise click.UsageError(
            f"Give all classes after one --on, or give --on before each of: {', '.join(further)}."
        )

    people = lazily(".questions.methods.people:methods_people")
    with opened(path) as index:
        answer = ask(index, replace(asked, on=[*given, *further] or None))
        finish(answer, as_json, methods_text, people, asked=asked.name, index=index)
    say_notes([answer])
