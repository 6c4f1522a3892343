"""The parameters of methods."""

from __future__ import annotations

from collections.abc import Sequence
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
    from .answer import MethodsAnswer


@dataclass(frozen=True, slots=True)
class MethodsParameters(Parameters["MethodsAnswer | NotFound"]):
    """The methods that a call of the generic function ``name`` reaches, in their order.

    ``on`` has the classes of the required arguments, ``_`` or T for any; those left out are T. Without it,
    they are all methods. With ``own``, those of SBCL and libraries are left out.
    """

    answered_by = "ask:methods"
    text_by = ("text:methods_text",)

    name: str = name_parameter()
    on: Sequence[str] | None = parameter(
        "The classes of the arguments, such as circle t; _ and omitted arguments stand for any class.",
        default=None,
        tool="Only methods for such arguments: circle t.",
        metavar="CLASS...",
    )
    package: str = package_parameter()
    _: KW_ONLY
    own: bool = parameter("Leave out methods of SBCL and libraries.", default=False, tool_name="")
    limit: int = limit_parameter("methods", command=50)
    offset: int = offset_parameter()
