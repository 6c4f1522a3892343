"""The parameters of what changed since another index."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ..index.parameters import Parameters, limit_parameter, offset_parameter, parameter

if TYPE_CHECKING:
    from ..index.not_found import NotFound
    from .answer import DiffAnswer


@dataclass(frozen=True, slots=True)
class ChangesParameters(Parameters["DiffAnswer | NotFound"]):
    """What edits since ``since`` can reach, or the changes of an exported API, breaking ones first."""

    since: str = parameter(
        "For edits: a Git revision, or `build`. For an API: an older index, or a release (a@1).",
        default="HEAD",
    )
    _: KW_ONLY
    package: str | None = parameter("Only this package.", default=None)
    limit: int = limit_parameter("changes", tool_default=100)
    offset: int = offset_parameter()
