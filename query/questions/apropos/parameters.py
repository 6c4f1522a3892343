"""The parameters of apropos."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import PEOPLES_LIMIT, Parameters, limit_parameter, offset_parameter, parameter
from .choices import SCOPES, TYPES

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import AproposAnswer


@dataclass(frozen=True, slots=True)
class AproposParameters(Parameters["AproposAnswer | NotFound"]):
    """The symbols whose names contain ``pattern``, compared by CHAR-EQUAL.

    Without a ``package``, the external symbols of all packages are searched.
    """

    answered_by = "ask:apropos"
    merged_by = "several:apropos_in_several"
    text_by = ("text:apropos_text",)
    people_by = ("people:apropos_people",)
    counted = "total"
    command_help = """
    List the symbols whose names contain PATTERN, ignoring case.

    Without --package, the external symbols of all packages are searched.
    """

    pattern: str = parameter(
        "Part of the name, ignoring case; not a regular expression.",
        tool="Part of the name; no regular expression.",
        argument=True,
    )
    package: str | None = parameter(
        "Search the symbols accessible in this package.",
        default=None,
        tool="Only those accessible there.",
        flags=("-p", "--package"),
    )
    type: str | None = parameter(
        "Only symbols of this type.",
        default=None,
        tool="Only this type.",
        choices=TYPES,
        checked=False,
        flags=("-t", "--type"),
    )
    _: KW_ONLY
    scope: str = parameter(
        "With --package: which of its symbols to search.",
        default="accessible",
        tool="With package: which of its symbols.",
        choices=SCOPES,
    )
    limit: int = limit_parameter("symbols", terminal=PEOPLES_LIMIT, tool_default=200)
    offset: int = offset_parameter()
