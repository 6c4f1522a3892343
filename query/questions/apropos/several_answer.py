"""The answer of apropos from several indexes, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc
from .answer import AproposAnswer, AproposMatch


@dataclass(slots=True, kw_only=True)  # not frozen, as its base is not
class SeveralAproposMatch(AproposMatch):
    """One symbol that apropos found in several indexes, with its type and status in the first that has it."""

    indexes: list[str] = doc("paths of the indexes that have it, in the order in which they were queried")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralAproposAnswer(AproposAnswer):
    """The symbols of several indexes whose names contain a pattern."""

    indexes: dict[str, int] = doc(
        "the number of matches in each index, by path, in the order in which the indexes were queried"
    )
    catalog: str | None = doc("path of the catalog, if one was queried too; it is also in `indexes`")
