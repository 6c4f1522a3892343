"""The answer of describe from several indexes, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc
from ...index.answer_place import with_place
from .answer import DescribeAnswer


@dataclass(frozen=True, slots=True)
class AlsoIn:
    """Another index that has the name, or a release in the catalog that provides the symbol."""

    index: str = doc("path of the index, or of the catalog")
    release: str | None = doc("the release, such as alexandria@1.0.1; null for an index")
    written: str = doc("the name as you would type it there; it may be that of another symbol")


@with_place(before="ftype")
@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralDescribeAnswer(DescribeAnswer):
    """A description of a name, from the first of several indexes that has it."""

    index: str = doc("path of the index from which the description comes")
    also_in: list[AlsoIn] = doc(
        "the other indexes that have the name, in the order in which they were queried, then the releases "
        "in the catalog that provide the symbol, the newest first"
    )
