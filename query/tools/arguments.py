"""Checking the arguments of a call against a tool's parameters, with messages that a model can act on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..index.parameters import MOST_WHOLE
from .vocabulary import Parameter, Tool

_PYTHON: dict[str, Any] = {
    "string": str,
    "boolean": bool,
    "number": (int, float),
    "object": Mapping,
    "array": list,
}
_MOST_SHOWN = 60
_MOST_UNKNOWN = 5
_MOST_BITS = 1000


def checked(tool: Tool, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The arguments as the handler takes them, and their errors, one sentence each.

    Null for an optional parameter counts as not given, and 5.0 counts as 5 where a whole number is wanted:
    models write both.
    """
    parameters = {parameter.name: parameter for parameter in tool.parameters}
    taken: dict[str, Any] = {}
    wrong = [f"Missing required parameter: {name}" for name in tool.required if arguments.get(name) is None]
    unknown = 0
    for name, value in arguments.items():
        parameter = parameters.get(name)
        if parameter is None:
            unknown += 1
            if unknown <= _MOST_UNKNOWN:
                wrong.append(_unknown(name, list(parameters)))
        elif value is not None:
            taken[name] = int(value) if _is_whole(parameter, value) else value
            wrong += [f"Parameter {name} {fault}" for fault in _faults(parameter, taken[name])]
    if unknown > _MOST_UNKNOWN:
        wrong.append(f"And {unknown - _MOST_UNKNOWN:,} more unknown parameters.")
    return taken, wrong


def with_defaults(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call, with the defaults of those that are not given."""
    defaults = {
        one.name: one.default
        for one in tool.parameters
        if one.default is not None and not one.handler_applies_default
    }
    return {**defaults, **arguments}


def _unknown(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(name)[:_MOST_SHOWN], known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"Unknown parameter: {_shown(name)}.{hint} Parameters: {', '.join(known) or 'none'}."


def _is_whole(parameter: Parameter, value: Any) -> bool:
    return parameter.whole and isinstance(value, float) and value.is_integer()


def _faults(parameter: Parameter, value: Any) -> Iterator[str]:
    if parameter.or_array and isinstance(value, list):
        if not all(isinstance(item, str) for item in value):
            yield "must be a string or an array of strings; some of its items are not strings."
        else:
            yield from _too_long(parameter, sum(len(item) for item in value))
        return
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = is_number if parameter.type == "number" else isinstance(value, _PYTHON[parameter.type])
    if not fits or (parameter.whole and isinstance(value, float)):
        yield f"must be {_wanted(parameter)}, not {_shown(value)}."
    elif isinstance(value, str):
        yield from _too_long(parameter, len(value))
    if fits:
        yield from _out_of_bounds(parameter, value)


def _too_long(parameter: Parameter, length: int) -> Iterator[str]:
    if parameter.longest is not None and length > parameter.longest:
        yield f"must have at most {parameter.longest:,} characters, not {length:,}."


def _out_of_bounds(parameter: Parameter, value: Any) -> Iterator[str]:
    if parameter.whole and value > MOST_WHOLE:
        yield f"must be at most {MOST_WHOLE}, not {_shown(value)}."
    elif parameter.minimum is not None and value < parameter.minimum:
        yield f"must be at least {parameter.minimum:g}, not {_shown(value)}."
    elif parameter.choices and not parameter.handler_checks_choices and value not in parameter.choices:
        yield f"must be one of {', '.join(parameter.choices)}, not {_shown(value)}."


def _wanted(parameter: Parameter) -> str:
    if parameter.whole:
        return "a whole number"
    article = "an" if parameter.type[0] in "ao" else "a"
    return f"{article} {parameter.type}" + (" or an array of strings" if parameter.or_array else "")


def _shown(value: Any) -> str:
    """A value as messages show it: short, and on one line."""
    if isinstance(value, Mapping | list):
        return "an object" if isinstance(value, Mapping) else "an array"
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return "a number with very many digits"  # Python refuses to print such numbers
    text = ascii(value[: _MOST_SHOWN + 1]) if isinstance(value, str) else str(value)
    return text if len(text) <= _MOST_SHOWN + 2 else f"{text[:_MOST_SHOWN]}..."
