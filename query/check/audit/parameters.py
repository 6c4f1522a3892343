"""The parameters of audit."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters, limit_parameter, offset_parameter, parameter
from .lists.table import LISTS

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import AuditAnswer


@dataclass(frozen=True, slots=True)
class AuditParameters(Parameters["AuditAnswer | NotFound"]):
    """What ``part`` of the code has and nothing needs: unused definitions, exports that name nothing, ...

    With ``only``, one of the lists. Exported names count as used unless ``exported`` says that they do not.
    With a catalog beside the index, the names that a release in it uses are used, and no others.
    """

    answered_by = "ask:audit"
    merged_by = "ask:audit_with_catalog"
    text_by = ("text:audit_text",)
    part: str = parameter(
        "A system, a package, a file, or `project`.",
        default="project",
        tool="System, package, file, or project.",
        argument=True,
        metavar="PART",
    )
    _: KW_ONLY
    only: str | None = parameter(
        "Show only this list (default: all).",
        default=None,
        tool="One list.",
        choices=tuple(LISTS),
        flags=("--list",),
    )
    exported: bool = parameter(
        "Do not treat exported names as used.", default=False, tool="Exports count as unused."
    )
    limit: int = limit_parameter("findings", terminal=200, tool_default=50)
    offset: int = offset_parameter()
