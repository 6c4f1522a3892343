"""The parameters of outline."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import PEOPLES_LIMIT, Parameters, limit_parameter, offset_parameter, parameter
from .kinds import ALL, SORTS

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import OutlineAnswer


@dataclass(frozen=True, slots=True)
class OutlineParameters(Parameters["OutlineAnswer | NotFound"]):
    """What ``part`` of the code defines, file by file, in the order of the text.

    The functions that the form of a class makes, such as accessors, are only counted unless ``accessors``.
    """

    answered_by = "ask:outline"
    text_by = ("text:outline_text",)
    people_by = ("people:outline_people",)
    counted = "total"
    command_help = """
    List the definitions in PART, file by file, in the order of the text.

    PART is a system, a package, a source file (its path, or the end of it), or `project`;
    `package:NAME` and `system:NAME` say which is meant. The functions that a class definition makes,
    such as accessors, are only counted.
    """

    part: str = parameter(
        "A system, a package, a file, or `project`.",
        tool="A package; with `defines`, also a system or a file.",
        argument=True,
        metavar="PART",
        tool_name="name",
    )
    _: KW_ONLY
    kind: str = parameter(
        "Only definitions of this kind.",
        default=ALL,
        tool="Instead, what it defines.",
        choices=(ALL, *SORTS),
        flags=("-k", "--kind"),
        tool_name="defines",
    )
    accessors: bool = parameter(
        "Also list the functions that class definitions make.", default=False, tool_name=""
    )
    limit: int = limit_parameter("definitions", terminal=PEOPLES_LIMIT, tool_default=200)
    offset: int = offset_parameter()
