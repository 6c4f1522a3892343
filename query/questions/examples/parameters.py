"""The parameters of examples."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters, limit_parameter, name_parameter, package_parameter, parameter

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import ExamplesAnswer


@dataclass(frozen=True, slots=True)
class ExamplesParameters(Parameters["ExamplesAnswer | NotFound"]):
    """The most instructive uses of ``name``, as whole forms; with ``limit`` 0 all that were looked at."""

    answered_by = "ask:examples"
    text_by = ("text:examples_text",)
    people_by = ("people:examples_people",)
    counted = "examples"
    command_help = (
        "Show how the function, macro or class NAME is used: short, complete forms of different kinds."
    )

    name: str = name_parameter()
    package: str = package_parameter()
    _: KW_ONLY
    limit: int = limit_parameter("examples", default=5)
    context: int = parameter(
        "Show N lines of the file before and after each form.",
        default=0,
        tool="Lines around each form.",
        minimum=0,
        maximum=100,
        metavar="N",
    )
