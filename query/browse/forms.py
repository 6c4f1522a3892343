"""Questions in URLs: the parameters that a URL has, and the form of a page that makes such URLs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from ..index.parameters import Parameters, declarations
from .page_request import PageRequest

_Asked = TypeVar("_Asked", bound=Parameters[Any])


class FormField(NamedTuple):
    """A field of a form: a box to tick if it is a switch, a list if it has choices, else a line of text."""

    name: str
    label: str
    value: str
    is_switch: bool
    choices: Sequence[str]


def asked_by(request: PageRequest, kind: type[_Asked], **further: Any) -> _Asked:
    """The parameters of a question: ``further`` ones, and those of the others that the URL has.

    A value that is not among the choices of its parameter is ignored.
    """
    given = dict(further)
    for name, (field, of) in declarations(kind).items():
        text = request.argument(name)
        if name in further or not text or (of.choices and of.checked and text not in of.choices):
            continue
        number = "int" in str(field.type)
        given[name] = True if field.type == "bool" else request.number(name) if number else text
    return kind(**given)


def form_of(
    request: PageRequest, kind: type[Parameters[Any]], choices: Mapping[str, Sequence[str]]
) -> list[FormField]:
    """The fields of a form that asks a question, filled in as the URL has them.

    They are the parameters that have a label; ``choices`` are those that only the index knows.
    """
    return [
        FormField(name, of.label, request.argument(name), field.type == "bool", choices.get(name, of.choices))
        for name, (field, of) in declarations(kind).items()
        if of.label
    ]
