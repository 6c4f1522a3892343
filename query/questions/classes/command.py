"""The command ``class``."""

from __future__ import annotations

import click

from ...terminal.opening import opened
from ...terminal.printing import finish, lazily
from ...terminal.question_command import ask, asks
from .parameters import ClassParameters
from .text import class_text


@asks(ClassParameters, name="class")
@click.option(
    "--inherited",
    is_flag=True,
    help="On a terminal, also list the methods on classes of SBCL and of libraries, as in piped output.",
)
def describe_class(asked: ClassParameters, inherited: bool, path: str | None, as_json: bool) -> None:
    """Describe the class NAME: its superclasses, slots, subclasses, and the methods on it.

    Structures and conditions are classes too. For a structure, the constructors are listed; for a
    condition, the code that signals or handles it. Functions to implement are those that a documented
    protocol leaves to subclasses, and those whose method only signals an error.
    """
    people = lazily(".questions.classes.people:class_people", inherited=inherited)
    with opened(path) as index:
        finish(ask(index, asked), as_json, class_text, people, asked=asked.name, index=index)
