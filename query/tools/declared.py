"""The parameters of tools that ask questions, made from those of the questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

from ..asking import beside
from ..index.not_found import NotFound
from ..index.parameters import Declared, Parameters, declarations
from .vocabulary import Parameter

_Asked = TypeVar("_Asked", bound=Parameters[Any])
_NAMED_BY_ANSWERS = ("limit", "offset", "max_length", "everything")  # when they matter
_TYPES = {"bool": "boolean", "int": "number", "int | None": "number"}  # others are texts


@cache
def names_of(kind: type) -> dict[str, str]:
    """What tools call the parameters of a question, by the names of its fields."""
    names = {name: of.tool_name for name, (_, of) in declarations(kind).items()}
    return {name: name if called is None else called for name, called in names.items() if called != ""}


def spelled(name: str, kinds: Sequence[type]) -> str:
    """The parameter ``name`` of one of the questions, as messages to models have it: ``callees=true``."""
    for kind in kinds:
        if name in names_of(kind):
            is_switch = declarations(kind)[name][0].type == "bool"
            return f"{names_of(kind)[name]}=true" if is_switch else names_of(kind)[name]
    return name


def parameters_of(*kinds: type, without: tuple[str, ...] = ()) -> list[Parameter]:
    """The parameters of a tool that asks a question, or one of several.

    Of several questions, the default of the first is shown: that of the one that is asked is applied when it
    is asked.
    """
    found: dict[str, list[tuple[Field[Any], Declared]]] = {}
    having: dict[str, set[type]] = {}
    for kind in kinds:
        for name, known in declarations(kind).items():
            if name in names_of(kind) and name not in without:
                found.setdefault(names_of(kind)[name], []).append(known)
                having.setdefault(names_of(kind)[name], set()).add(kind)
    everywhere = set(kinds)
    return [_parameter(name, known, everywhere=having[name] == everywhere) for name, known in found.items()]


def required_of(*kinds: type) -> list[str]:
    """The names of the parameters that all of the questions need."""
    needed = [
        {names_of(kind)[name] for name, known in declarations(kind).items() if default_of(*known) is MISSING}
        for kind in kinds
    ]
    names = [name for kind in kinds[:1] for name in names_of(kind).values()]
    return [name for name in names if all(name in one for one in needed)]


def _parameter(name: str, known: list[tuple[Field[Any], Declared]], *, everywhere: bool) -> Parameter:
    field, of = known[0]
    kind = _TYPES.get(str(field.type), "string")
    default = default_of(field, of)
    return Parameter(
        name,
        kind,
        of.tool,
        choices=tuple(of.choices),
        handler_checks_choices=not of.checked,
        whole=kind == "number",
        minimum=of.minimum,
        default=None if default is MISSING else default,
        handler_applies_default=not everywhere or len({default_of(*one) for one in known}) > 1,
        longest=of.longest if kind == "string" else None,
        listed=name not in _NAMED_BY_ANSWERS,
        documentation=of.text,
    )


def listed_answers(*kinds: type[Parameters[Any]]) -> tuple[type, ...]:
    """The answer classes of a tool that lists or counts what the questions find."""
    from .answer import CountsAnswer

    answers: list[type] = []
    for kind in kinds:
        answer = get_type_hints(beside(kind, kind.answered_by))["return"]
        answers += [one for one in get_args(answer) or (answer,) if one is not NotFound]
    return (*answers, CountsAnswer, NotFound)


def default_of(field: Field[Any], of: Declared) -> Any:
    """The default of a parameter in tools; MISSING if it has to be given."""
    return field.default if of.tool_default is MISSING else of.tool_default


def asked(kind: Callable[..., _Asked], arguments: Mapping[str, Any], **further: Any) -> _Asked:
    """The parameters of a question from the ``arguments`` of a tool, and ``further`` ones by their names."""
    names = names_of(kind)
    given = {}
    for name, (field, of) in declarations(kind).items():  # type: ignore[arg-type]
        value = further.get(name, arguments.get(names[name]) if name in names else None)
        default = default_of(field, of)
        if value is None:
            value = default
        elif of.maximum is not None:
            value = min(value, of.maximum)
        if value is not MISSING:
            given[name] = value
    return kind(**given)
