"""The parameters of provides, asked of a catalog alone or of several indexes."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from ...index.parameters import (
    PEOPLES_LIMIT,
    Answer,
    Parameters,
    limit_parameter,
    name_parameter,
    offset_parameter,
)

if TYPE_CHECKING:
    from ...index.not_found import NotFound
    from .answer import ProvidesAnswer, SeveralProvidesAnswer


@dataclass(frozen=True, slots=True)
class ProviderParameters(Parameters[Answer]):
    """The releases that export or define a symbol, package or system called ``name``."""

    of_catalog = True

    name: str = name_parameter("Symbol, package or system.")
    _: KW_ONLY
    limit: int = limit_parameter("matches", terminal=PEOPLES_LIMIT, tool_default=10)
    offset: int = offset_parameter()


@dataclass(frozen=True, slots=True)
class ProvidesParameters(ProviderParameters["ProvidesAnswer | NotFound"]):
    """The releases of the catalog that export or define a symbol, package or system called ``name``."""

    answered_by = "ask:provides"


@dataclass(frozen=True, slots=True)
class SeveralProvidesParameters(ProviderParameters["SeveralProvidesAnswer | NotFound"]):
    """The indexes that have a symbol, package or system called ``name``, and the catalog's releases."""

    merged_by = "several:provides_of_several"
