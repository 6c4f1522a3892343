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
    """The changes of the exported API since the index ``since``, those that break callers first."""

    since: str = parameter("The older index: a file, or a release of the catalog.")
    _: KW_ONLY
    package: str | None = parameter("Only this package.", default=None)
    limit: int = limit_parameter("changes", tool_default=100)
    offset: int = offset_parameter()
