"""The rules about format control strings: format-directive and format-arguments."""

from __future__ import annotations

from dataclasses import dataclass

from ...syntax.designators import string_value, value_offset
from ...syntax.format_control import FormatFaultError, Taken, arguments_of
from ...syntax.nodes import Atom


@dataclass(frozen=True, slots=True)
class FormatComplaint:
    """A fault in a control string, or in the number of its arguments, at ``at``.

    Whatever macro is around the form, it is one if it is ``sure``: a macro may add arguments, but not more.
    """

    rule: str
    message: str
    at: Atom
    sure: bool


def format_complaint(control: Atom, given: int | None, *, all_used: bool = True) -> FormatComplaint | None:
    """The fault in a control string with ``given`` arguments; None if there is none that is certain.

    ``given`` is None if nobody knows how many there are. Unless ``all_used``, more may be given.
    """
    value = string_value(control.text)
    try:
        taken = arguments_of(value)
    except FormatFaultError as fault:
        at = Atom(control.start + value_offset(control.text, fault.start), fault.text)
        return FormatComplaint("format-directive", str(fault), at, sure=True)
    if given is None or (given >= taken.least and not (all_used and _too_many(taken, given))):
        return None
    said = f"the format string takes {_range(taken)}, but {given} {'is' if given == 1 else 'are'} given"
    return FormatComplaint("format-arguments", said, control, sure=given > taken.least)


def _too_many(taken: Taken, given: int) -> bool:
    return taken.most is not None and given > taken.most


def _range(taken: Taken) -> str:
    if taken.most is None:
        return f"at least {taken.least}"
    return str(taken.least) if taken.least == taken.most else f"{taken.least} to {taken.most}"
