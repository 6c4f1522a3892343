"""The parameters of class."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import (
    Parameters,
    limit_parameter,
    name_parameter,
    offset_parameter,
    package_parameter,
)

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import ClassAnswer


_MANY = 50


@dataclass(frozen=True, slots=True)
class ClassParameters(Parameters["ClassAnswer | NotFound"]):
    """The parts of the class, structure or condition ``name``, and what one needs to use or to extend it.

    ``limit`` and ``offset`` bound each of the lists that have a total, such as methods.
    """

    answered_by = "ask:describe_class"
    text_by = ("text:class_text",)

    name: str = name_parameter("Name of the class.", tool="Its name.")
    package: str = package_parameter()
    _: KW_ONLY
    limit: int = limit_parameter(
        "subclasses, methods",
        text="Show at most N items of each list, such as methods; 0 for all.",
        command=_MANY,
        tool_default=_MANY,
    )
    offset: int = offset_parameter()
