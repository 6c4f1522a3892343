"""The parameters of the search in a catalog."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import Parameters, limit_parameter, offset_parameter, parameter

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import CatalogSearchAnswer


@dataclass(frozen=True, slots=True)
class CatalogSearchParameters(Parameters["CatalogSearchAnswer | NotFound"]):
    """The exported symbols of all releases that match ``query``, best first.

    ``query`` has words, a signature after ``::``, or both.
    """

    answered_by = "ask:search"
    text_by = ("text:search_text",)
    counted = "total"
    of_catalog = True
    command_help = """
    Find exported symbols of all releases by WORDS, or functions by signature.

    WORDS are as for `oblist search`; the names and descriptions of releases and packages are searched,
    too. Each match says which release exports it.
    """

    query: str = parameter(
        "Words, or a signature.",
        tool="Words: parse json.",
        argument=True,
        many=True,
        metavar="WORDS",
    )
    _: KW_ONLY
    limit: int = limit_parameter("matches", default=20, tool_default=10)
    offset: int = offset_parameter()
