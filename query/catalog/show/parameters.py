"""The parameter of a release to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters, parameter

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import ReleaseAnswer


@dataclass(frozen=True, slots=True)
class ShowParameters(Parameters["ReleaseAnswer | NotFound"]):
    """A release, written ``alexandria`` or ``alexandria@1.0.1``: what it is, needs, and is needed by."""

    answered_by = "ask:show"
    text_by = ("text:release_text",)
    of_catalog = True
    command_help = (
        "Show RELEASE, such as alexandria or alexandria@1.0.1: its description, dependencies and dependents."
    )

    release: str = parameter("Such as alexandria@1.0.1.", argument=True)
