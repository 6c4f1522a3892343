"""The answer of xref from several indexes, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc
from .answer import ReferenceAnswer, XrefAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralReferenceAnswer(ReferenceAnswer):
    """One use of a symbol by code, as the first of several indexes has it."""

    indexes: list[str] = doc("paths of the indexes that have it, in the order in which they were asked")


@dataclass(frozen=True, slots=True)
class ReleaseUses:
    """A release in the catalog that uses a symbol of another."""

    release: str = doc("the release, such as drawing@1.0")
    uses: int = doc("number of uses, of all relations")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralXrefAnswer(XrefAnswer):
    """The uses of a name in several indexes, or the names that it uses.

    The name is that of the first index that has it; a use in several indexes counts once.
    """

    indexes: dict[str, int] = doc(
        "the number of references in each index, by path, in the order in which they were asked"
    )
    catalog: str | None = doc("path of the catalog, if it was asked too")
    releases_total: int = doc(
        "number of releases in the catalog that use the symbol; 0 for callees or with a relation"
    )
    releases: list[ReleaseUses] = doc("the first of these releases, those with most uses first")
