"""The parameters of xref, as a list and as a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from ...index.parameters import (
    Answer,
    ParameterError,
    Parameters,
    limit_parameter,
    name_parameter,
    offset_parameter,
    package_parameter,
    parameter,
)
from ...index.relations import RELATIONS

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import XrefAnswer, XrefTreeAnswer


_TOOL_CHILDREN = 10


@dataclass(frozen=True, slots=True)
class UsesParameters(Parameters[Answer]):
    """The uses of ``name``; with ``callees``, the names that its own code uses.

    With ``companions`` they are also those that its compiler macros, transforms and the like use. Without a
    ``relation``, they are of all relations but ``defines``.
    """

    name: str = name_parameter()
    package: str = package_parameter()
    _: KW_ONLY
    relation: str | None = parameter(
        "Only uses of this kind (default: all).",
        default=None,
        tool="Only uses of this sort.",
        choices=tuple(RELATIONS),
    )
    callees: bool = parameter(
        "List the names that NAME's code uses, instead of its uses.",
        default=False,
        tool="List what the symbol's code uses.",
    )
    companions: bool = parameter(
        "With --callees: also list what NAME's compiler macros, transforms and setf expanders use.",
        default=False,
        tool="Also by its compiler macros; trees also outside the project.",
        tool_name="everything",
    )

    def refuse_contradictions(self) -> None:
        """Raise ParameterError for parameters that do not go together."""
        if self.companions and not self.callees:
            raise ParameterError("{companions} applies to what the symbol uses: give {callees} too.")


@dataclass(frozen=True, slots=True)
class XrefParameters(UsesParameters["XrefAnswer | NotFound"]):
    """The uses of a name as a list."""

    answered_by = "ask:xref"
    merged_by = "several:xref_of_several"

    tests: str | None = parameter(
        "Show only the uses in test systems (only), or only the others (without).",
        default=None,
        choices=("only", "without"),
        tool_name="",
    )
    limit: int = limit_parameter(
        "references", default=200, tool_default=50, text="Show at most N uses; 0 for all."
    )
    offset: int = offset_parameter()


@dataclass(frozen=True, slots=True)
class XrefCountsParameters(UsesParameters["Counter[str | None]"]):
    """The numbers of the uses that xref lists, by the package of the caller, or of the callee."""

    answered_by = "by_package:xref_by_package"


@dataclass(frozen=True, slots=True)
class XrefTreeParameters(UsesParameters["XrefTreeAnswer | NotFound"]):
    """The tree of the callers of a name, ``depth`` steps deep; with ``callees``, of the names it uses.

    Callees are followed within the project's systems, or those of the name, unless ``beyond`` says to go on.
    ``limit`` bounds the children of each node; the size of the whole tree is bounded too.
    """

    answered_by = "tree:xref_tree"
    what = "A tree ({depth})"

    beyond: bool = parameter(
        "With --callees and --depth: also follow names outside the project's systems.",
        default=False,
        tool_name="everything",
    )
    depth: int = parameter(
        "Show a tree: follow callers of callers (or callees of callees) for N steps.",
        default=2,
        tool=f"A tree of N steps; limit (default {_TOOL_CHILDREN}) is per node.",
        tool_default=None,
        minimum=1,
        metavar="N",
    )
    limit: int = limit_parameter(
        "references",
        default=20,
        tool_default=_TOOL_CHILDREN,
        text="With --depth: show at most N references for each name.",
    )

    def refuse_contradictions(self) -> None:
        """Raise ParameterError for parameters that do not go together."""
        UsesParameters.refuse_contradictions(self)
        if self.beyond and not self.callees:
            raise ParameterError("{beyond} applies to what the symbol uses: give {callees} too.")
        if self.relation == "specializes":
            raise ParameterError(
                "Methods that specialize on a class form no tree: leave out {depth} or {relation}."
            )


def list_or_tree(given: Mapping[str, Any]) -> type[XrefParameters | XrefTreeParameters]:
    """The question that these parameters ask: for a tree if ``depth`` is among them.

    Raises ParameterError for what the one or the other does not have.
    """
    if given.get("depth") is None:
        if given.get("beyond"):
            raise ParameterError("{beyond} applies to a tree of callees: give {callees} and {depth} too.")
        return XrefParameters
    if given.get("offset"):
        message = "A tree has no pages: leave out {offset} {number}, or {depth}."
        raise ParameterError(message, number=given["offset"])
    return XrefTreeParameters
