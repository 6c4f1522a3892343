"""The answer of xref from several indexes, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc
from ...index.finding.guessed import guessed_field
from ...questions.xref.answer import ReferenceAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralReferenceAnswer(ReferenceAnswer):
    """One use of a symbol by code, as the first of several indexes has it."""

    indexes: list[str] = doc("paths of the indexes that have it, in the order in which they were asked")


@dataclass(frozen=True, slots=True)
class ReleaseUses:
    """A release in the catalog that uses a symbol of another."""

    release: str = doc("the release, such as drawing@1.0")
    uses: int = doc("number of uses, of all relations")


@dataclass(frozen=True, slots=True)
class SeveralXrefAnswer:
    """The uses of a name in several indexes, or the names that it uses."""

    name: str = doc("exact name of the symbol in the first index that has it; `(SETF FOO)` if asked for")
    package: str = doc("its home package there; for a symbol without one, the package it was found in")
    written: str = doc("the form to type back, such as `alexandria:flatten`")
    relation: str | None = doc("the relation asked for; null for all")
    direction: str = doc('"callers" (who uses it) or "callees" (what it uses)')
    total: int = doc("number of references, whatever the limit; one in several indexes counts once")
    callers: int | None = doc("number of distinct callers; null when asked for callees")
    callees: int | None = doc("number of distinct callees; null when asked for callers")
    offset: int = doc("number of references skipped")
    relations: dict[str, int] = doc(
        "the number of references of each relation, in the order of the references"
    )
    other_names: dict[str, int] = doc(
        "of callers: the number of references in the first index to each other function name of the symbol"
    )
    left_out: int = doc("of callees: number of references left out, which are not by the name's own code")
    indexes: dict[str, int] = doc(
        "the number of references in each index, by path, in the order in which they were asked"
    )
    reason: str | None = doc("why there are none, by index")
    note: str | None = doc("a remark about the name as typed, or what else it names in another index")
    references: list[SeveralReferenceAnswer] = doc(
        "the references, by relation, the other side's package and name, then path, line and column"
    )
    catalog: str | None = doc("path of the catalog, if it was asked too")
    releases_total: int = doc(
        "number of releases in the catalog that use the symbol; 0 for callees or with a relation"
    )
    releases: list[ReleaseUses] = doc("the first of these releases, those with most uses first")
    guessed: str | None = guessed_field()
    incomplete: str | None = doc(
        "what did not load, if the answer may lack something because of it", default=None
    )
    outdated: str | None = doc(
        "which files in the answer have changed, or are gone, since the indexes were built", default=None
    )


SEVERAL_XREF_ANSWERS = (SeveralXrefAnswer, SeveralReferenceAnswer, ReleaseUses)
