"""The answer of xref from several indexes, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc
from .answer import ReferenceAnswer, XrefAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralReferenceAnswer(ReferenceAnswer):
    """One use of a symbol by code, as the first of several indexes has it."""

    indexes: list[str] = doc(
        "paths of the indexes that have the use, in the order in which they were queried"
    )


@dataclass(frozen=True, slots=True)
class ReleaseUses:
    """A release in the catalog that uses a symbol of another release."""

    release: str = doc("the release, such as drawing@1.0")
    uses: int = doc("number of uses, by any relation")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralXrefAnswer(XrefAnswer):
    """The uses of a name in several indexes, or the names that it uses.

    The name is that of the first index that has it; a use in several indexes counts once.
    """

    indexes: dict[str, int] = doc(
        "the number of references in each index, by path, in the order in which the indexes were queried"
    )
    catalog: str | None = doc("path of the catalog, if one was queried too")
    releases_total: int = doc(
        "number of releases in the catalog that use the symbol; 0 if callees, or uses of only one relation, "
        "were asked for"
    )
    releases: list[ReleaseUses] = doc("the first of these releases, those with the most uses first")
