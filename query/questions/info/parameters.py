"""The parameters of info: there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters

if TYPE_CHECKING:
    from .answer import IndexInformation


@dataclass(frozen=True, slots=True)
class InfoParameters(Parameters["IndexInformation"]):
    """The contents of the index, and when and from what it was built."""

    answered_by = "ask:information"
