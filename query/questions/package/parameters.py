"""The parameters of package."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import (
    PEOPLES_LIMIT,
    Parameters,
    limit_parameter,
    name_parameter,
    offset_parameter,
    parameter,
)
from ..apropos.choices import TYPES

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import PackageAnswer


@dataclass(frozen=True, slots=True)
class PackageParameters(Parameters["PackageAnswer | NotFound"]):
    """The exports of the package ``name``, and the packages it uses."""

    answered_by = "ask:describe_package"
    text_by = ("text:package_text",)
    people_by = ("people:package_people", "match")
    command_help = (
        "List the exports of the package NAME, with their lambda lists and a line of documentation each."
    )

    name: str = name_parameter(
        "Name or nickname of the package.", tool="A package; with `defines`, also a system or a file."
    )
    _: KW_ONLY
    match: str = parameter(
        "Only exports with this text in their names.",
        default="",
        tool="Only names with this in them.",
        metavar="TEXT",
    )
    kind: str | None = parameter(
        "Only exports of this type.", default=None, choices=TYPES, flags=("-t", "--type")
    )
    undocumented: bool = parameter("Only exports without documentation.", default=False, tool_name="")
    limit: int = limit_parameter("exports", terminal=PEOPLES_LIMIT, tool_default=200)
    offset: int = offset_parameter()
