"""The parameters of xref --edit-sites."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import (
    Parameters,
    limit_parameter,
    name_parameter,
    offset_parameter,
    package_parameter,
    parameter,
)

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import EditSitesAnswer


@dataclass(frozen=True, slots=True)
class EditSitesParameters(Parameters["EditSitesAnswer | NotFound"]):
    """Every place to touch when the lambda list of ``name`` changes."""

    answered_by = "ask:edit_sites"
    text_by = ("text:edit_sites_text",)

    name: str = name_parameter()
    package: str = package_parameter()
    _: KW_ONLY
    edit_sites: bool = parameter(
        "List every place to edit when the lambda list of NAME changes.",
        default=True,
        command=False,
        tool="All to edit when its lambda list changes.",
        tool_default=False,
    )
    limit: int = limit_parameter(
        "places",
        default=200,
        tool_default=50,
        text="With --edit-sites: show at most N places; 0 for all.",
    )
    offset: int = offset_parameter()
