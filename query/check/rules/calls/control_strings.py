"""Format control strings and their arguments: the complaints of format-directive and format-arguments."""

from __future__ import annotations

from ....syntax.format_control import FormatFaultError, arguments_of
from ....syntax.names.literals import string_value
from ....syntax.nodes import Atom
from . import format_arguments, format_directive
from .complaint import Complaint


def control_complaint(control: Atom, given: int | None, *, all_used: bool = True) -> Complaint | None:
    """The fault in a control string with ``given`` arguments; None if there is none that is certain.

    ``given`` is None if their number is unknown. Unless ``all_used``, more may be given.
    """
    try:
        taken = arguments_of(string_value(control.text))
    except FormatFaultError as fault:
        return format_directive.complaint(control, fault)
    if given is None:
        return None
    return format_arguments.complaint(control, taken, given, all_used=all_used)
