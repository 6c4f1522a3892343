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
    text_by = ("text:information_text",)
    people_by = ("people:information_people",)
    seen_from = False
    command_help = """
    Show what the index contains, when it was built, and from which SBCL.

    The index is --index, else $OBLIST_INDEX, else .oblist/oblist.db in this folder or the nearest
    parent folder that you own, else the one in your data folder.
    """
