"""The parameters of problems."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters, limit_parameter, offset_parameter, parameter

if TYPE_CHECKING:
    from .answer import ProblemsAnswer


@dataclass(frozen=True, slots=True)
class ProblemsParameters(Parameters["ProblemsAnswer"]):
    """What could not be loaded, read or located: the project's problems first, SBCL's own last.

    Without ``everything``, SBCL's own are counted but not listed.
    """

    answered_by = "ask:problems"
    text_by = ("text:problems_text", "everything")
    people_by = ("people:problems_people", "everything")
    seen_from = False
    command_help = """
    List what could not be loaded, read or located in the sources when the index was
    built.

    The problems of the project come first, then those of its dependencies. Those of SBCL's own sources,
    which are in every index, are only counted.
    """

    _: KW_ONLY
    everything: bool = parameter(
        "Also list the problems of SBCL's own sources.", default=True, command=False, flags=("--all",)
    )
    limit: int = limit_parameter("problems", command=50)
    offset: int = offset_parameter()
