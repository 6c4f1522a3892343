"""How many arguments a format control string takes (CLHS 22.3)."""

from __future__ import annotations

import re

from ...syntax.designators import string_value

# A directive: parameters, colons and at signs, the character; a newline ignores the space after it.
_DIRECTIVE = re.compile(
    r"~((?:[+-]?\d+|'.|[vV#])?(?:,(?:[+-]?\d+|'.|[vV#])?)*)([:@]*)(?:/([^/]*)/|(.))", re.DOTALL
)
_ONE = frozenset("asdboxrcfegw$")
_NONE = frozenset("%&|~\n()ti_")


def arguments_of(written: str) -> int | None:
    """The number of arguments that a control string, as written, takes; None if it depends on them."""
    control, taken, at = string_value(written), 0, 0
    while (start := control.find("~", at)) >= 0:
        match = _DIRECTIVE.match(control, start)
        if match is None:
            return None
        parameters, modifiers, called, character = match.groups()
        if "#" in parameters:
            return None
        taken += sum(parameter in ("v", "V") for parameter in parameters.split(","))
        number = 1 if called is not None else _taken(character.lower(), modifiers)
        if number is None:
            return None
        taken += number
        at = match.end()
    return taken


def _taken(character: str, modifiers: str) -> int | None:
    """The number of arguments that a directive takes besides its parameters; None if it is not certain."""
    if character == "p":
        return 0 if ":" in modifiers else 1
    if character in _NONE:
        return 0
    return 1 if character in _ONE else None
