"""The sections of a class's page about its use: functions, what it leaves to subclasses, where it is made."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from ..questions.classes.answer import ClassAnswer, ClassUse, GenericToImplement
from ..syntax.printed import as_typed, items
from .names import named
from .page_request import LinkedName, PageRequest

_OPERATORS = ("(setf ", "(cas ")


class FunctionLine(NamedTuple):
    """A function of a structure: a constructor with its lambda list, the predicate or the copier."""

    role: str
    name: LinkedName
    arglist: str


class OpenLine(NamedTuple):
    """A generic function that is left to subclasses, and what has become of it."""

    name: LinkedName
    arglist: str
    state: str
    on: LinkedName | None
    required: bool


class OpenFunctions(NamedTuple):
    """The generic functions that one class leaves to its subclasses."""

    because: str
    on: LinkedName
    functions: list[OpenLine]


class UseLine(NamedTuple):
    """A place that makes an instance or handles a condition: the definition there, and the line's text."""

    name: LinkedName
    text: str


class UseSection(NamedTuple):
    """The places of one sort, and how many there are."""

    anchor: str
    heading: str
    total: int
    uses: list[UseLine]


def function_lines(request: PageRequest, answer: ClassAnswer) -> list[FunctionLine]:
    """The functions that DEFSTRUCT made, besides accessors."""
    functions = (
        *(("constructor", one) for one in answer.constructors),
        *(("predicate", one) for one in (answer.predicate,) if one is not None),
        *(("copier", one) for one in (answer.copier,) if one is not None),
    )
    return [
        FunctionLine(role, named(request, one.written), _arglist(request, one.arglist))
        for role, one in functions
    ]


def open_functions(request: PageRequest, answer: ClassAnswer) -> list[OpenFunctions]:
    """What the class and its superclasses leave to subclasses, by the class that does."""
    return [
        OpenFunctions(
            protocol or "The method only signals",
            named(request, on, class_page=True),
            [_open_line(request, one, answer.written) for one in functions],
        )
        for (protocol, on), functions in groupby(answer.to_implement, key=lambda one: (one.protocol, one.on))
    ]


def _open_line(request: PageRequest, one: GenericToImplement, own: str) -> OpenLine:
    state = "left to subclasses" if one.state == "missing" and one.on == own else one.state
    on = None if one.implemented_on is None else named(request, one.implemented_on, class_page=True)
    return OpenLine(named(request, one.written), _arglist(request, one.arglist), state, on, one.required)


def _arglist(request: PageRequest, arglist: str | None) -> str:
    return as_typed(arglist or "", request.index.upcase, lambda_list=True)


def use_sections(request: PageRequest, answer: ClassAnswer) -> list[UseSection]:
    """Where the text makes instances, and where it handles the condition."""
    made = "Signalled or made in" if answer.kind == "condition" else "Made in"
    sections = (
        ("made", made, answer.made_total, answer.made_in),
        ("handled", "Handled in", answer.handled_total, answer.handled_in),
    )
    return [
        UseSection(anchor, heading, total, [_use(request, one) for one in uses])
        for anchor, heading, total, uses in sections
        if uses
    ]


def _use(request: PageRequest, one: ClassUse) -> UseLine:
    """The line of a use; a method's name is in a list after its kind."""
    parts: Sequence[str] = items(one.by) if not one.by.startswith(_OPERATORS) else ()
    link = named(request, parts[1] if len(parts) > 1 else one.by).link
    return UseLine(LinkedName(one.by, link), (one.text or "").strip())
