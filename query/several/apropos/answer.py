"""The answer of apropos from several indexes, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc
from ...questions.apropos.answer import AproposMatch


@dataclass(slots=True, kw_only=True)  # not frozen, as its base is not
class SeveralAproposMatch(AproposMatch):
    """One symbol that apropos found in at least one of several indexes: its type and status in the first."""

    indexes: list[str] = doc("paths of the indexes that have it, in the order in which they were asked")


@dataclass(frozen=True, slots=True)
class SeveralAproposAnswer:
    """The symbols of several indexes whose names contain a pattern."""

    pattern: str = doc("the pattern as given")
    package: str | None = doc("name of the package searched, in the first index that knows it")
    type: str | None = doc("the type asked for")
    total: int = doc("number of matches, whatever the limit")
    offset: int = doc("number of matches skipped")
    indexes: dict[str, int] = doc(
        "the number of matches in each index, by path, in the order in which they were asked"
    )
    catalog: str | None = doc("path of the catalog, which is among `indexes` if it was asked too")
    matches: list[SeveralAproposMatch] = doc("the matches by name, then package, in code point order")
    note: str | None = doc("a remark about the pattern", default=None)
    incomplete: str | None = doc(
        "what did not load, if the answer may lack something because of it", default=None
    )


SEVERAL_APROPOS_ANSWERS = (SeveralAproposAnswer, SeveralAproposMatch)
