"""The parameters of uses."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters, limit_parameter, offset_parameter, parameter

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import BetweenAnswer


@dataclass(frozen=True, slots=True)
class BetweenParameters(Parameters["BetweenAnswer | NotFound"]):
    """Which names of ``used`` the code of ``users`` uses; with ``pairs``, by which definitions.

    Both are a package, a system, a source file, or ``project``. What ``used`` itself uses is only counted.
    """

    answered_by = "ask:between"
    text_by = ("text:between_text",)
    people_by = ("people:between_people",)
    counted = "total"
    command_help = """
    List the names of TO that code in FROM uses, the most used first.

    FROM and TO are each a system, a package, a source file (its path, or the end of it), or `project`.
    A name that a system and a package share stands for the system; write `package:NAME` or
    `system:NAME` to choose. The names of a package are its own symbols and those that it exports; the
    names of a system are those of its packages, and everything else that it defines. Uses within TO are
    left out.
    """

    users: str = parameter(
        "The code whose uses are listed: a system, a package, a file, or `project`.",
        tool="A system, package or file, or project.",
        argument=True,
        metavar="FROM",
    )
    used: str = parameter(
        "The code that is used: a system, a package, a file, or `project`.",
        tool="Likewise.",
        argument=True,
        metavar="TO",
    )
    _: KW_ONLY
    pairs: bool = parameter(
        "Also list the definitions that use each name.", default=False, tool="Also by which definitions."
    )
    limit: int = limit_parameter("names", default=200, tool_default=50)
    offset: int = offset_parameter()
