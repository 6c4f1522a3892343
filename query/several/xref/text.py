"""The answer of xref from several indexes as text; pure."""

from __future__ import annotations

from ...index.shown import shown_name
from ...questions.paging import rest_line
from ...questions.xref.answer import ReferenceAnswer, XrefAnswer
from ...questions.xref.text import xref_text
from ..from_line import from_line
from .answer import SeveralXrefAnswer


def several_xref_text(answer: SeveralXrefAnswer, more: str = "--offset {offset}") -> str:
    """Return the text of xref, the releases in the catalog that use the name, and the counts by index."""
    lines = [xref_text(as_one(answer), more)]
    if answer.releases:
        lines += ["", releases_heading(answer)]
        lines += [f"  {shown_name(one.release)}  {_uses(one.uses)}" for one in answer.releases]
        lines += rest_line(answer.releases, answer.releases_total, 0, "--limit 0")
    return "\n".join([*lines, "", from_line(answer.indexes, None)])


def as_one(answer: SeveralXrefAnswer) -> XrefAnswer:
    """Return the answer as one of a single index."""
    references: list[ReferenceAnswer] = [*answer.references]
    return XrefAnswer(
        **{
            name: getattr(answer, name)
            for name in XrefAnswer.__dataclass_fields__
            if name not in ("references", "incomplete", "outdated", "seen_from", "guessed")
        },
        references=references,
    )


def releases_heading(answer: SeveralXrefAnswer) -> str:
    """Return the line above the releases that use the name."""
    if answer.releases_total == 1:
        return "1 release in the catalog uses it"
    return f"{answer.releases_total} releases in the catalog use it"


def _uses(number: int) -> str:
    return f"{number} use" if number == 1 else f"{number} uses"
