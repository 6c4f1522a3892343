"""The rule unclosed."""

from __future__ import annotations

from ....index.present.lines import TextLines
from ....syntax.nodes import Fault
from ..described import Rule

RULE = Rule("unclosed", "error", __file__)
_MESSAGES = {
    "(": "the form that begins here is not closed",
    "#(": "the vector that begins here is not closed",
    '"': "the string that begins here is not closed",
    "|": "the name that begins with a bar here is not closed",
    "#|": "the comment that begins here is not closed",
}


def message(fault: Fault, lines: TextLines) -> str:
    """The message about something that ``fault`` says is not closed."""
    said = _MESSAGES.get(fault.kind, f"the file ends after {fault.kind}, which needs a form")
    if fault.margin is not None:
        said += f", so the one on line {lines.place(fault.margin)[0]} is part of it"
    return said
