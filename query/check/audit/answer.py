"""The answer of audit, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A thing that seems to be unneeded."""

    sort: str = doc("the list that has the finding, such as unused or empty-export")
    written: str = doc("the thing, as typed in Lisp; a keyword for an initarg, a name for a system")
    kind: str | None = doc("kind of its definition, or else what it is")
    why: str = doc("what is wrong with it, in words")
    uncertain: str | None = doc("why it is uncertain, in words; null if there is no known reason")
    path: str | None = doc("absolute path of the source file")
    line: int | None = doc("line of its definition, or of the place that names it, from 1")
    column: int | None = doc("column, from 1")


@dataclass(frozen=True, slots=True)
class AuditAnswer:
    """What seems to be unneeded in a part of the code: the answer of audit."""

    part: str = doc("what was audited: `project`, or the word package, system or file and a name")
    definitions: int = doc("number of definitions that were examined")
    total: int = doc("number of findings, whatever the limit")
    lists: dict[str, int] = doc("the number of findings on each list that has any, in order")
    catalog: str | None = doc(
        "absolute path of the catalog whose releases were searched for uses, too; null if none was"
    )
    releases: int | None = doc("number of releases in it that use names of the part; null without a catalog")
    offset: int = doc("number of findings skipped")
    findings: list[AuditFinding] = doc("the findings, sorted by list, then by path, line, column and name")
    note: str | None = doc("a remark about how the name of the part was understood")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
