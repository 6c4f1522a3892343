"""The parameters of the list of releases."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import PEOPLES_LIMIT, Parameters, limit_parameter, offset_parameter, parameter

if TYPE_CHECKING:
    from .answer import ReleasesAnswer


STATES = ("loaded", "partly", "failed")
"""The states of releases."""


@dataclass(frozen=True, slots=True)
class ReleasesParameters(Parameters["ReleasesAnswer"]):
    """The releases whose names contain ``name``."""

    answered_by = "ask:releases"
    text_by = ("text:releases_text",)
    counted = "total"
    of_catalog = True
    command_help = "List the releases in the catalog whose names contain NAME, or all of them."

    name: str = parameter("A part of the name.", default="", argument=True)
    _: KW_ONLY
    state: str | None = parameter("Only releases in this state.", default=None, choices=STATES)
    limit: int = limit_parameter("releases", terminal=PEOPLES_LIMIT)
    offset: int = offset_parameter()
