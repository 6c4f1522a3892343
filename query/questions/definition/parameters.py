"""The parameters of definition."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters, name_parameter, offset_parameter, package_parameter, parameter

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import DefinitionTextAnswer


MAX_LENGTH = 10_000
"""The most characters of text to show of each name by default."""


@dataclass(frozen=True, slots=True)
class DefinitionParameters(Parameters["DefinitionTextAnswer | NotFound"]):
    """The text of all definitions of ``name``, cut off at ``max_length`` characters (0: no limit).

    ``package_details`` adds the symbols that the text names, grouped by package.
    """

    answered_by = "ask:definition"

    name: str = name_parameter()
    package: str = package_parameter()
    _: KW_ONLY
    specializers: str | None = parameter(
        "Only methods with these specializers or qualifiers: '(circle t)', 'circle' or ':around circle'; "
        '_ is any class. EQL specializers may be typed as in sources: "((eql \'car) t)".',
        default=None,
        tool="Only methods on these: (circle (eql 'x)).",
        metavar="LIST",
    )
    offset: int = offset_parameter()
    package_details: bool = parameter(
        "Also list the symbols that the text names, by package.",
        default=False,
        tool_name="include_package_details",
    )
    max_length: int = parameter(
        "Show at most N characters of text per name; 0 for all.",
        default=MAX_LENGTH,
        tool="Most characters a symbol; 0: as max_chars allows.",
        minimum=0,
        metavar="N",
    )
