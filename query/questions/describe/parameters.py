"""The parameters of describe."""

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
    from .answer import DescribeAnswer


@dataclass(frozen=True, slots=True)
class DescribeParameters(Parameters["DescribeAnswer | NotFound"]):
    """Describe ``name``, looked up in ``package`` as ``find-symbol`` would."""

    answered_by = "ask:describe"
    merged_by = "several:describe_in_several"

    name: str = name_parameter(tool="As typed: a::b, (setf c). Several: with commas.")
    package: str = package_parameter()
    _: KW_ONLY
    limit: int = limit_parameter("definitions", tool_default=70)
    offset: int = offset_parameter()
