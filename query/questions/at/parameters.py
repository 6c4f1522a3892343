"""The parameters of at."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters, parameter

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import AtAnswer


@dataclass(frozen=True, slots=True)
class AtParameters(Parameters["AtAnswer | NotFound"]):
    """What stands at ``place``: the definition around it, the names on its line, and what its form uses."""

    answered_by = "ask:at"
    text_by = ("text:at_text",)
    people_by = ("people:at_people",)
    command_help = """
    Show what is at FILE:LINE or FILE:LINE:COLUMN: the definition around it, every
    name on the line, and what the innermost form there uses.

    FILE is a path on this machine, or the end of the path of an indexed file: `src/parse.lisp:12`.
    Without COLUMN, the form is the first one that begins on the line or, if none does, the one around
    it. The uses of a form are those that SBCL recorded for it and for its macro expansions, and the
    names in its text.
    """

    place: str = parameter(
        "FILE:LINE or FILE:LINE:COLUMN, both from 1.",
        tool="src/parse.lisp:12 or src/parse.lisp:12:5.",
        argument=True,
        metavar="FILE:LINE[:COLUMN]",
    )
    _: KW_ONLY
    calls: bool = parameter(
        "Show only what the innermost form calls.",
        default=False,
        tool="Show only what the innermost form calls.",
    )
