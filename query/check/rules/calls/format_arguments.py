"""The rule format-arguments."""

from __future__ import annotations

from ....syntax.format_control import ArgumentsTaken
from ....syntax.nodes import Atom
from ..walked import WalkRule
from .complaint import Complaint

RULE = WalkRule("format-arguments", "warning", __file__)


def complaint(control: Atom, taken: ArgumentsTaken, given: int, *, all_used: bool) -> Complaint | None:
    """The complaint about ``given`` arguments of a control string; None if it takes them.

    Unless ``all_used``, more may be given.
    """
    too_many = all_used and taken.most is not None and given > taken.most
    if given >= taken.least and not too_many:
        return None
    noun = "argument" if taken.least == 1 and taken.most in (1, None) else "arguments"
    said = f"the format string takes {_range(taken)} {noun}, not {given}"
    return Complaint(RULE, said, control, sure=given > taken.least)


def _range(taken: ArgumentsTaken) -> str:
    if taken.most is None:
        return f"at least {taken.least}"
    return str(taken.least) if taken.least == taken.most else f"{taken.least} to {taken.most}"
