"""The parameters of search."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import (
    ParameterError,
    Parameters,
    limit_parameter,
    offset_parameter,
    parameter,
)
from ..apropos.choices import TYPES

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import SearchAnswer


_COMMAND_ONLY = {"tool_name": ""}


@dataclass(frozen=True, slots=True)
class SearchParameters(Parameters["SearchAnswer | NotFound"]):
    """The symbols that match the words of ``query``, the functions that fit ``signature``, or both.

    The best match comes first. After ``::``, ``query`` may have a signature too.
    """

    answered_by = "ask:search"
    merged_by = "several:search_in_several"
    text_by = ("text:search_text",)
    people_by = ("people:search_people",)
    counted = "total"
    command_help = """
    Find symbols by WORDS in their names, then in arglists and documentation, or functions by signature.

    The words may come in any order and with any ending: `hash keys` finds hash-table-keys. A signature
    may also come after two colons: `oblist search ':: string -> pathname'`, `oblist search 'sort ::
    (list, _)'`. Arguments may be in any order, and some may be left out; _ is any type, and 3 stands
    for any three arguments.
    """

    query: str = parameter(
        "Words in names, lambda lists and documentation.",
        default="",
        tool="Words: hash table keys.",
        argument=True,
        metavar="WORDS",
        many=True,
    )
    _: KW_ONLY
    signature: str = parameter(
        "Only functions of this signature: string -> pathname, (list, &key test) -> list; _ is any type.",
        default="",
        tool="string -> pathname, or (list, &key test) -> list; _ is any type.",
    )
    type: str = parameter(
        "Only symbols of this type.",
        default="",
        choices=TYPES,
        checked=False,
        flags=("-t", "--type"),
        label="Type",
        **_COMMAND_ONLY,
    )
    package: str = parameter(
        "Only symbols whose home is this package.",
        default="",
        flags=("-p", "--package"),
        label="Package",
        **_COMMAND_ONLY,
    )
    system: str = parameter(
        "Only symbols of the packages of this system.", default="", label="System", **_COMMAND_ONLY
    )
    exported: bool = parameter(
        "Only symbols that a package exports.", default=False, label="Exported only", **_COMMAND_ONLY
    )
    own: bool = parameter(
        "Only symbols of the project, and of systems that were named when the index was built.",
        default=False,
        tool="Only the project's.",
        label="The project's own",
    )
    limit: int = limit_parameter("symbols", default=20)
    offset: int = offset_parameter()

    def refuse_contradictions(self) -> None:
        """Raise ParameterError if nothing is searched for."""
        if not self.words:
            raise ParameterError("Give {query}, or {signature}.")

    @property
    def words(self) -> str:
        """The words, and the signature after two colons, as one query has them."""
        signature = self.signature.strip().removeprefix("::")
        return f"{self.query} :: {signature}" if signature else self.query

    @property
    def is_filtered(self) -> bool:
        """Whether matches are chosen by anything but the words."""
        return bool(self.type or self.package or self.system or self.exported or self.own)
