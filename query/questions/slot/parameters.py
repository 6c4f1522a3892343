"""The parameters of slot."""

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
    from .answer import SlotUsesAnswer


@dataclass(frozen=True, slots=True)
class SlotParameters(Parameters["SlotUsesAnswer | NotFound"]):
    """Every place that reads, writes, binds or initializes a ``slot`` of the class ``name``."""

    answered_by = "ask:slot_uses"
    text_by = ("text:slot_text",)
    people_by = ("people:slot_people",)
    counted = "total"
    command_help = """
    List the places that define, read, write, bind or initialize the slot SLOT of the class NAME.

    The places are found through readers, writers and accessors, including those of subclasses, and
    through slot-value, with-slots, with-accessors, initargs and constructors. A place is marked if the
    text does not tell the class of the object, and another class has such a slot or accessor.
    """

    name: str = name_parameter("Name of the class, structure or condition.")
    slot: str = parameter("Name of the slot.", tool="All places of this slot instead.", argument=True)
    package: str = package_parameter()
    _: KW_ONLY
    limit: int = limit_parameter("places", terminal=200, tool_default=50)
    offset: int = offset_parameter()
